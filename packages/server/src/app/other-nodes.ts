import type { Entry } from '@statewright/core/internal'
import type { Auth } from '../http/auth/auth.ts'
import type { FeedHub } from '../http/feed/feed-hub.ts'
import type { Log } from '../observe/logger.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { MovedRuns } from '../store/store.ts'

const pageSize = 5000

/** Sessions that are at work here, which wait for what happens in their runs. */
export interface FollowingSessions {
  /** Whether one of them is judged by the run. */
  hasRun(runId: string): boolean
  runChanged(runId: string, entries: readonly Entry[]): void
}

/**
 * Forgets what other nodes on the same store have changed, so that a run is never shown as it no
 * longer stands. Decisions do not depend on it: their commit would conflict. Most of what comes are
 * this node's own commits, so that nothing is read but how far each run has come.
 */
export async function followOtherNodes(
  runtime: Runtime,
  hub: FeedHub,
  log: Log,
  sessions?: FollowingSessions,
): Promise<() => void> {
  const { feed } = runtime.store
  let position = await feed.head()
  let reading = false
  let again = false

  const read = async (): Promise<void> => {
    for (;;) {
      const page = await feed.moved(position, pageSize)
      for (const moved of page.runs) {
        await forget(runtime, moved)
        if (sessions?.hasRun(moved.runId)) await tell(runtime, sessions, moved)
      }
      // Ends and bonds come with the look before each request (ND-2).
      if (page.runs.some(({ firstSeq }) => firstSeq === 1)) runtime.sessions.forgetAll()
      position = page.position
      if (!page.isFull && !again) return
      again = false
    }
  }
  const wake = (): void => {
    if (reading) {
      again = true
      return
    }
    reading = true
    read()
      .catch((fault) => log.warn({ err: fault }, 'the feed could not be followed'))
      .finally(() => {
        reading = false
      })
  }
  return hub.subscribe(wake)
}

type MovedRun = MovedRuns['runs'][number]

async function forget(runtime: Runtime, { runId, lastSeq }: MovedRun): Promise<void> {
  if (!runtime.live.has(runId)) return
  const live = await runtime.live.get(runId)
  if (live === undefined || live.row.seq < lastSeq) runtime.live.drop(runId)
}

async function tell(
  runtime: Runtime,
  sessions: FollowingSessions,
  { runId, firstSeq, lastSeq }: MovedRun,
): Promise<void> {
  const range = { after: firstSeq - 1, limit: lastSeq - firstSeq + 1 }
  const entries = await runtime.store.runs.entries(runId, range)
  sessions.runChanged(
    runId,
    entries.map(({ entry }) => entry),
  )
}

const everyMs = 1000

/**
 * Reads anew what another node has changed (ND-1): whenever a request asks for it, and now and then
 * for what follows the configuration though nobody asks this node.
 */
export function followRules(
  { rules }: Pick<Runtime, 'rules'>,
  { tokens }: Pick<Auth, 'tokens'>,
  options: {
    readonly followConfig?: () => Promise<void>
    readonly sharesStore?: boolean
    readonly log: Log
    readonly stopping: AbortSignal
  },
): void {
  const { followConfig, sharesStore, log, stopping } = options
  rules.onRules(() => tokens.forgetAll())
  if (followConfig !== undefined) rules.onRules(followConfig)
  if (sharesStore !== true) return
  const onFault = (fault: unknown) =>
    log.warn({ err: fault }, 'updates from other server nodes could not be read')
  const timer = setInterval(() => void rules.confirm()?.catch(onFault), everyMs).unref()
  stopping.addEventListener('abort', () => clearInterval(timer))
}
