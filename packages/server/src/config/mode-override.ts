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
export interface ModeOverride {
  readonly mode: Mode
  /** Since when it holds: what would have been denied is counted from there. */
  readonly since: number
  /** Laid over the configuration, until that changes its own word. */
  readonly choice: ModeChoice | null
  /** The newest choice that a changed configuration has ended. */
  readonly ended: (ModeChoice & { readonly until: number }) | null
}

/**
 * What holds under a configuration. A choice ends for good when the configuration speaks again:
 * were it only hidden, it would come back by surprise with the next edit of a file.
 */
export function settleMode(
  override: ModeOverride | null,
  configured: Mode,
  now: number,
): ModeOverride {
  if (override === null) return { mode: configured, since: now, choice: null, ended: null }
  const { choice } = override
  if (choice !== null && choice.over === configured) return override
  const ended = choice === null ? override.ended : { ...choice, until: now }
  if (choice === null && override.mode === configured) return override
  return { ...turned(override, configured, now), choice: null, ended }
}

/** Lays a person's choice over the configuration; its own word needs no laying over. */
export function chooseMode(
  override: ModeOverride,
  chosen: { readonly mode: Mode; readonly by: string; readonly configured: Mode },
  now: number,
): ModeOverride {
  const { mode, by, configured } = chosen
  const choice = mode === configured ? null : { mode, by, at: now, over: configured }
  return { ...turned(override, mode, now), choice, ended: null }
}

function turned(
  override: ModeOverride,
  mode: Mode,
  now: number,
): Pick<ModeOverride, 'mode' | 'since'> {
  return { mode, since: override.mode === mode ? override.since : now }
}
