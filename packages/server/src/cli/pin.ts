import type { Result } from '@statewright/core'
import { askHidden, hasTerminal } from './ask.ts'
import type { Client, ServerProblem } from './client.ts'
import { reportProblem } from './report.ts'
import { Anything } from './shapes.ts'

/** What the server says with the refusal where there is no PIN to ask for. */
export function hasNoPin({ code, next }: { readonly code: string; readonly next?: string }) {
  return code === 'step_up_required' && next?.includes('--set-pin') === true
}

/**
 * The PIN of the person at the terminal; undefined when nobody is there or nothing was typed. Who
 * has none yet chooses one now: asking for a PIN that was never set would lead nowhere.
 */
export async function pinFor(client: Client, refusal: ServerProblem): Promise<string | undefined> {
  if (!hasTerminal()) return undefined
  if (!hasNoPin(refusal)) return askHidden('Confirm with your PIN: ')
  process.stderr.write('This needs a PIN, and you have none yet.\n')
  const chosen = await choosePin(client)
  if (chosen === undefined || chosen.ok) return chosen?.value
  reportProblem(chosen.error)
  return undefined
}

/** Asks twice and sets it; undefined when the two were not the same. */
export async function choosePin(
  client: Client,
): Promise<Result<string, ServerProblem> | undefined> {
  const pin = await askHidden('Choose a PIN, at least four characters: ')
  const again = await askHidden('Once more: ')
  if (pin === undefined || pin !== again) return undefined
  const asked = { method: 'PUT', path: '/api/pin', body: { pin } } as const
  const set = await client.ask(asked, Anything)
  if (set.ok) return { ok: true, value: pin }
  if (set.error.code !== 'step_up_required') return set
  const old = await askHidden('The PIN that you have now: ')
  const changed = old === undefined ? set : await client.ask({ ...asked, pin: old }, Anything)
  return changed.ok ? { ok: true, value: pin } : changed
}
