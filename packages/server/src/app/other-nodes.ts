import type { Entry } from '@statewright/core/internal'
import type { Auth } from '../http/auth/auth.ts'
import type { FeedHub } from '../http/feed/feed-hub.ts'
import type { Log } from '../observe/logger.ts'
import type { Runtime } from '../runtime/runtime.ts'

const pageSize = 500

/**
 * Forgets what other nodes on the same store have changed, so that a run is never shown as it no
 * longer stands. Decisions do not depend on it: their commit would conflict.
 */
export async function followOtherNodes(
  runtime: Runtime,
  hub: FeedHub,
  log: Log,
  onEntry: (runId: string, entry: Entry) => void = () => {},
): Promise<() => void> {
  const { feed } = runtime.store
  let position = await feed.head()
  let reading = false
  let again = false

  const read = async (): Promise<void> => {
    for (;;) {
      const page = await feed.after(position, pageSize)
      for (const { runId, seq, entry } of page) {
        await forget(runtime, runId, seq, entry.type)
        onEntry(runId, entry)
      }
      position = page[page.length - 1]?.feedAt ?? position
      if (page.length < pageSize && !again) return
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

async function forget(runtime: Runtime, runId: string, seq: number, type: string): Promise<void> {
  const live = runtime.live.has(runId) ? await runtime.live.get(runId) : undefined
  if (live !== undefined && live.row.seq >= seq) return
  runtime.live.drop(runId)
  if (type === 'run_started' || type === 'run_ended') runtime.sessions.forgetAll()
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
  const onFault = (fault: unknown) => log.warn({ err: fault }, 'no news of other nodes')
  const timer = setInterval(() => void rules.confirm()?.catch(onFault), everyMs).unref()
  stopping.addEventListener('abort', () => clearInterval(timer))
}
