/** What a state says about shell calls; compiled once from its definition. */
export interface ShellRules {
  /** Files may not be changed: the state allows a shell but neither Edit nor Write (SH-6). */
  readonly readOnly: boolean
  /** Entries split into words, or null when every command may be used (SH-8). */
  readonly allowedCommands: readonly (readonly string[])[] | null
  /** Variables that must not be read (SH-9). */
  readonly blockedEnv: readonly string[]
  /** Whether background work may be started (SH-16). */
  readonly background: boolean
  /** Only provable reading, searching and listing passes: the state has no shell at all (SH-10). */
  readonly onlyReading: boolean
}
