/** A shell entry such as `Bash(git log *)`: the words a command starts with, or is (WF-6). */
export interface CommandPattern {
  readonly words: readonly string[]
  /** Without a star the words are the whole command. */
  readonly exact: boolean
}

/** What a state says about shell calls; compiled once from its definition. */
export interface ShellRules {
  /** Files may not be changed: the state allows a shell but neither Edit nor Write (SH-6). */
  readonly readOnly: boolean
  /** Entries split into words, or null when every command may be used (SH-8). */
  readonly allowedCommands: readonly (readonly string[])[] | null
  /** Variables that must not be read (SH-9). */
  readonly blockedEnv: readonly string[]
  /** What becomes of them where the command runs; absent where nobody knows (SH-12). */
  readonly environment?: 'kept' | 'removed'
  /** Whether background work may be started (SH-16). */
  readonly background: boolean
  /** Only provable reading, searching and listing passes: the state has no shell (SH-10). */
  readonly onlyReading: boolean
  /**
   * A command in `allowedCommands` may change what it is there to change, such as a cluster by
   * `kubectl apply`: its author listed it for that. Files still need Write or Edit (SH-8).
   */
  readonly listedMayChange: boolean
  /** Other agents, our person's commands and signals to us are denied (SH-17). */
  readonly guarded: boolean
  /**
   * Every command has to match one of these, or null when no pattern narrows the shell. What a
   * matching command itself writes is its own affair; a redirect still needs Write or Edit (WF-6).
   */
  readonly patterns: readonly CommandPattern[] | null
}
