import type { Cage } from '../sandbox/cage.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { madeSince, putAside } from '../sandbox/put-aside.ts'

/** How a workspace was before the first of the commands that run in it. */
interface Baseline {
  running: number
  readonly absent: Set<string>
  readonly links: Map<string, string>
  /** What has come into being since and would run something later. */
  unsafeNew(): readonly string[]
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

  /** The same cage, watched until `over` is called. `allowed` is what a person let be made. */
  watch(
    cage: Cage,
    unsafeNew: () => readonly string[],
    allowed: readonly string[],
  ): Cage & Required<Pick<Cage, 'over'>> {
    const { workspace } = cage
    const baseline = this.#baselines.get(workspace) ?? {
      running: 0,
      absent: new Set<string>(),
      links: new Map(cage.links),
      unsafeNew,
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
      if (baseline.running === 0) this.#baselines.delete(workspace)
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
