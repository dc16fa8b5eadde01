import type { FeedEntry, RunLine } from '@statewright/core/wire'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { RunFilters } from '../../model/runs/run-filters.ts'
import { patchPages, type RunPageOf } from '../../model/runs/run-pages.ts'
import { rowsOf, stuckQuery } from '../resources/queries.ts'

/** After a burst the next round waits this long; the first entry is never held back. */
const gatherMs = 80
const maxRowsAtOnce = 100

/** Lets what the feed tells reach what the pages show. */
export class LiveCache {
  readonly #client: QueryClient
  readonly #touched = new Set<string>()
  readonly #stale = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushedAt = 0

  constructor(client: QueryClient) {
    this.#client = client
  }

  entry(entry: FeedEntry): void {
    this.#touched.add(entry.run_id)
    for (const key of changedBy(entry)) this.#stale.add(key)
    if (entry.type === 'call_decided' && this.#isStuck(entry.run_id)) this.#stale.add('stuck')
    if (this.#timer !== undefined) return
    const wait = Math.max(0, this.#flushedAt + gatherMs - Date.now())
    this.#timer = setTimeout(() => this.#flush(), wait)
  }

  /** Any call may end it, also one that passes. */
  #isStuck(runId: string): boolean {
    const stuck = this.#client.getQueryData(stuckQuery.queryKey)
    return stuck?.some(({ run_id }) => run_id === runId) === true
  }

  /** Anything may have changed. */
  gap(): void {
    this.#refresh([])
  }

  /**
   * Reads again what is under a key. Of what is read for the first time just now, the answer may be
   * older than the entry, and the client would take it for new: that is read once more afterwards.
   */
  #refresh(queryKey: readonly string[]): void {
    const firsts = this.#client.getQueryCache().findAll({ queryKey }).filter(isFirstFetch)
    void this.#client.invalidateQueries({ queryKey })
    for (const first of firsts) {
      void settled(first).then(() => this.#client.invalidateQueries({ queryKey: first.queryKey }))
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    this.#timer = undefined
    this.#flushedAt = Date.now()
    const runs = [...this.#touched]
    const keys = [...this.#stale]
    this.#touched.clear()
    this.#stale.clear()
    for (const run of runs) this.#refresh(['run', run])
    for (const key of keys) this.#refresh([key])
    void this.#patchLists(runs)
  }

  async #patchLists(runs: readonly string[]): Promise<void> {
    const lists = this.#client.getQueryCache().findAll({ queryKey: ['runs'], type: 'active' })
    if (lists.length === 0) {
      // Nobody looks at a list now; one that is looked at later is read again.
      this.#client.removeQueries({ queryKey: ['runs'] })
      return
    }
    // A list on its way may have left the server before this entry was there: first it comes.
    await Promise.all(lists.map((list) => settled(list)))
    for (let at = 0; at < runs.length; at += maxRowsAtOnce) {
      const fresh = await rowsOf(runs.slice(at, at + maxRowsAtOnce)).catch(() => [])
      for (const { queryKey } of lists) {
        const filters = queryKey[1] as RunFilters // `runsQuery` is the only one to build this key.
        this.#client.setQueryData<InfiniteData<RunPageOf<RunLine>, string>>(queryKey, (data) =>
          data === undefined
            ? data
            : { ...data, pages: [...patchPages(data.pages, fresh, filters)] },
        )
      }
    }
  }
}

function isFirstFetch({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus !== 'idle'
}

async function settled(query: Query): Promise<void> {
  // While it fetches, this joins the fetch that is under way and starts none.
  if (query.state.fetchStatus !== 'idle') await query.fetch().catch(() => undefined)
}

/** Which answers, besides those about its run, an entry makes old. */
function changedBy(entry: FeedEntry): readonly string[] {
  switch (entry.type) {
    case 'approval_opened':
    case 'approval_resolved':
      return ['approvals', 'usage']
    case 'call_decided':
      return entry.decision === 'allow' ? [] : ['stuck', 'usage']
    case 'transitioned':
    case 'run_ended':
      return ['stuck', 'usage', 'approvals']
    case 'run_started':
      return ['usage', 'projects']
    case 'gap':
    case 'paused':
    case 'resumed':
      return ['trust']
    // Such as a person who has switched the mode.
    case 'notice':
      return ['trust', 'mode']
    default:
      return []
  }
}
