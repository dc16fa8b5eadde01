import { type Cage, isWithin } from '../sandbox/cage.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { madeSince, putAside } from '../sandbox/put-aside.ts'
import { makeGitPlaceholders } from './protect/git-placeholders.ts'

/** How a workspace was before the first of the commands that run in it. */
interface Baseline {
  running: number
  readonly absent: Set<string>
  readonly links: Map<string, string>
  /** What has come into being since and would run something later. */
  unsafeNew(): readonly string[]
  /** Takes away what was made to hold names shut. */
  readonly release: () => void
}

export type WatchedCage = Cage & Required<Pick<Cage, 'over'>>

/** A command that may write, and the workspace that it is about to run in. */
export interface WatchRequest {
  readonly workspace: string
  /** Paths that are to stay as they are, or not to be. */
  readonly keep: readonly string[]
  /** What a person let be made. */
  readonly allowed: readonly string[]
  readonly makeCage: () => Cage
  readonly unsafeNew: () => readonly string[]
}

/**
 * Commands that run at the same time in one workspace are compared with how it was before the first
 * of them. Else one of them could make what must not be, and the next would take it for given.
 */
export class WatchedWorkspaces {
  readonly #baselines = new Map<string, Baseline>()
  readonly #sandbox: SandboxFound

  constructor(sandbox: SandboxFound) {
    this.#sandbox = sandbox
  }

  /** A cage for a command, watched until `over` is called. */
  watch({ workspace, keep, allowed, makeCage, unsafeNew }: WatchRequest): WatchedCage {
    const running = this.#baselines.get(workspace)
    const release =
      running?.release ?? makeGitPlaceholders(keep.filter((path) => isWithin(path, workspace)))
    const cage = makeCage()
    const baseline = running ?? {
      running: 0,
      absent: new Set<string>(),
      links: new Map(cage.links),
      unsafeNew,
      release,
    }
    for (const path of cage.absent) baseline.absent.add(path)
    for (const path of allowed) baseline.absent.delete(path)
    baseline.running += 1
    this.#baselines.set(workspace, baseline)
    let isOver = false
    const over = async () => {
      if (isOver) return []
      isOver = true
      baseline.running -= 1
      if (baseline.running === 0) {
        this.#baselines.delete(workspace)
        baseline.release()
      }
      return this.#tidy(workspace, baseline)
    }
    return { ...cage, over }
  }

  /** Something may be made again meanwhile, as long as another command runs. */
  async #tidy(workspace: string, baseline: Baseline): Promise<readonly string[]> {
    const absent = [...baseline.absent]
    const made = madeSince({ workspace, absent, links: baseline.links })
    const found = [...made, ...baseline.unsafeNew()]
    return putAside(this.#sandbox, workspace, [...new Set(found)])
  }
}
