import type { ShellRules } from './rules.ts'

/** Rules that restrict nothing, for tests to narrow. */
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
