import { runView } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import { activeOfSession } from '../runtime/runs/find-run.ts'
import type { Runtime } from '../runtime/runtime.ts'

const maxState = 40

/** One line for a client's status line; empty where nothing holds the session. */
export async function statusLine(
  runtime: Runtime,
  caller: Caller,
  session: string,
): Promise<string> {
  const live = await activeOfSession(runtime, caller, session)
  const observing = runtime.settings.mode === 'observe' ? ['only observed'] : []
  if (live === undefined) {
    return runtime.settings.strict
      ? ['statewright: no run, no tools', ...observing].join(' · ')
      : ''
  }
  const view = runView(live.program, live.snapshot, actorOf(caller), {})
  const { state, status, iteration, max_iterations: max, pending_approval: waiting } = view
  const words = [`statewright: ${printable(state)}`]
  if (status !== 'running') words.push(status)
  if (max !== null) words.push(callsLeft(Math.max(0, max - iteration)))
  if (waiting !== null) words.push(`waits for approval ${waiting.approval_id}`)
  return [...words, ...observing].join(' · ')
}

function callsLeft(left: number): string {
  return left === 1 ? '1 call left' : `${left} calls left`
}

/** A terminal shows it: names come from definitions, and must not steer it. */
function printable(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, maxState)
}
