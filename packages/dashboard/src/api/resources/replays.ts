import { endpoints, type Replay } from '@statewright/core/wire'
import { call } from '../client/client.ts'

/** What is to be tried: the text of a definition, or a policy by its name. */
export type TriedRules =
  | { readonly definition: string }
  | {
      readonly policy: unknown
      readonly name: string
      readonly policy_project?: string | undefined
    }

const pollMs = 250

/** Tries rules on runs since a time, tells how far it is, and ends with the replay that ended. */
export async function tryOnPastRuns(
  rules: TriedRules,
  since: number | undefined,
  tell: (replay: Replay) => void,
  signal: AbortSignal,
): Promise<void> {
  let replay: Replay = await call(endpoints.startReplay, { body: { ...rules, since } })
  const params = { id: replay.replay_id }
  while (replay.status === 'running') {
    tell(replay)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    if (signal.aborted) {
      replay = await call(endpoints.cancelReplay, { params })
      break
    }
    replay = await call(endpoints.getReplay, { params })
  }
  tell(replay)
}
