import type { Store } from '../store/store.ts'
import type { Settings } from './schema.ts'

export type Mode = Settings['mode']

/** A person's word on the mode, and what the configuration said when it was given. */
export interface ModeChoice {
  readonly mode: Mode
  readonly by: string
  readonly at: number
  readonly over: Mode
}

/** The mode that holds, and why. */
export interface HeldMode {
  readonly mode: Mode
  /** Since when it holds: what would have been denied is counted from there. */
  readonly since: number
  /** Laid over the configuration, until that changes its own word. */
  readonly choice: ModeChoice | null
  /** The newest choice that a changed configuration has ended. */
  readonly ended: (ModeChoice & { readonly until: number }) | null
}

type Settling = Pick<Store, 'settings'>

const key = 'config.mode'

export async function readHeldMode(store: Settling): Promise<HeldMode | null> {
  const text = await store.settings.get(key)
  return text === undefined ? null : JSON.parse(text) // Only ever written below.
}

export async function writeHeldMode(store: Settling, held: HeldMode): Promise<void> {
  await store.settings.set(key, JSON.stringify(held))
}

/**
 * What holds under a configuration. A choice ends for good when the configuration speaks anew:
 * were it only hidden, it would come back by surprise with the next edit of a file.
 */
export function settleMode(held: HeldMode | null, configured: Mode, now: number): HeldMode {
  if (held === null) return { mode: configured, since: now, choice: null, ended: null }
  const { choice } = held
  if (choice !== null && choice.over === configured) return held
  const ended = choice === null ? held.ended : { ...choice, until: now }
  if (choice === null && held.mode === configured) return held
  return { ...turned(held, configured, now), choice: null, ended }
}

/** Lays a person's choice over the configuration; its own word needs no laying over. */
export function chooseMode(
  held: HeldMode,
  chosen: { readonly mode: Mode; readonly by: string; readonly configured: Mode },
  now: number,
): HeldMode {
  const { mode, by, configured } = chosen
  const choice = mode === configured ? null : { mode, by, at: now, over: configured }
  return { ...turned(held, mode, now), choice, ended: null }
}

function turned(held: HeldMode, mode: Mode, now: number): Pick<HeldMode, 'mode' | 'since'> {
  return { mode, since: held.mode === mode ? held.since : now }
}
