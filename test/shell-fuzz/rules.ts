import type { ShellRules } from '@statewright/core/internal'

/** Rules that restrict nothing, to be narrowed one by one. */
export const openRules: ShellRules = {
  readOnly: false,
  allowedCommands: null,
  blockedEnv: [],
  background: true,
  onlyReading: false,
  listedMayChange: false,
  guarded: false,
  patterns: null,
}
