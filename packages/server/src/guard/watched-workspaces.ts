import { type Cage, isWithin } from '../sandbox/cage.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { madeSince, putAside } from '../sandbox/put-aside.ts'
import { FolderWatch } from './folder-watch.ts'
import { makeGitPlaceholders } from './protect/git-placeholders.ts'
import type { InnerGuards } from './protect/inner-guards.ts'
import { type Before, intrudersAt } from './protect/live-intruders.ts'

/** How a workspace was before the first of the commands that run in it. */
interface Baseline {
  running: number
  readonly absent: Set<string>
  readonly links: Map<string, string>
  readonly inner: InnerGuards
  /** What was seen while they ran; they may have taken it away again. */
  readonly seen: Set<string>
  readonly broken: AbortController
  /** Ends the watch, and takes away what was made to hold names shut. */
  release(): void
}

/** A command that may write, and the workspace that it is about to run in. */
export interface WatchRequest {
  readonly workspace: string
  /** Paths that are to stay as they are, or not to be. */
  readonly keep: readonly string[]
  /** Those of them that git or a client would take for settings while the command still runs. */
  readonly live: readonly string[]
  /** What a person let be made. */
  readonly allowed: readonly string[]
  readonly inner: InnerGuards
  readonly makeCage: () => Cage
}

export type WatchedCage = Cage & Required<Pick<Cage, 'over' | 'broken'>>

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
  watch(request: WatchRequest): WatchedCage {
    const { workspace, allowed } = request
    const { cage, baseline } = this.#begin(request)
    for (const path of cage.absent) baseline.absent.add(path)
    for (const path of allowed) baseline.absent.delete(path)
    baseline.running += 1
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
    return { ...cage, over, broken: baseline.broken.signal }
  }

  /** A person let somebody else make these while commands run: they are no intruders. */
  allow(workspace: string, paths: readonly string[]): void {
    const baseline = this.#baselines.get(workspace)
    for (const path of paths) baseline?.absent.delete(path)
  }

  #begin({ workspace, keep, live, inner, makeCage }: WatchRequest) {
    const running = this.#baselines.get(workspace)
    if (running !== undefined) return { cage: makeCage(), baseline: running }
    const remove = makeGitPlaceholders(keep.filter((path) => isWithin(path, workspace)))
    const cage = makeCage()
    const links = new Map(cage.links)
    const absent = cage.absent.filter((path) => live.includes(path))
    const seen = new Set<string>()
    const broken = new AbortController()
    const watch = watchOver(
      { workspace, links, absent, ...inner.before },
      inner.folders,
      (found) => {
        for (const path of found) seen.add(path)
        broken.abort()
      },
    )
    const release = () => {
      watch.close()
      remove()
    }
    const baseline = { running: 0, absent: new Set<string>(), links, inner, seen, broken, release }
    this.#baselines.set(workspace, baseline)
    return { cage, baseline }
  }

  /** Something may be made again meanwhile, as long as another command runs. */
  async #tidy(workspace: string, baseline: Baseline): Promise<readonly string[]> {
    const absent = [...baseline.absent]
    const made = madeSince({ workspace, absent, links: baseline.links })
    const found = new Set([...made, ...baseline.inner.unsafeNew()])
    const gone = [...baseline.seen].filter((path) => !found.has(path))
    return [...(await putAside(this.#sandbox, workspace, [...found])), ...gone]
  }
}

/** Neither packages, nor what holds no settings in a folder of git. */
const unwatched = /\/node_modules$|\/\.git\/(?:.*\/)?(?:objects|refs|logs|lfs)$/

function watchOver(
  before: Before,
  folders: readonly string[],
  onFound: (paths: readonly string[]) => void,
): FolderWatch {
  return new FolderWatch({
    folders,
    follows: (folder) => !unwatched.test(folder),
    onPath: (path) => {
      const found = intrudersAt(path, before)
      if (found.length > 0) onFound(found)
    },
  })
}
