import type { RuntimeParts } from '../../runtime/parts.ts'

const mostKnown = 10_000

/** Whose runs are whose; an owner never changes, so that each is looked up once. */
export class RunOwners {
  readonly #runtime: Pick<RuntimeParts, 'live'>
  readonly #known = new Map<string, string>()

  constructor(runtime: Pick<RuntimeParts, 'live'>) {
    this.#runtime = runtime
  }

  async ownerOf(runId: string): Promise<string | undefined> {
    const known = this.#known.get(runId)
    if (known !== undefined) return known
    const live = await this.#runtime.live.get(runId)
    if (live === undefined) return undefined
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(runId, live.row.owner)
    return live.row.owner
  }
}
