import type { Phrase } from '../base/text/phrase.ts'

/** A part of the command, as offsets `[start, end)` into its text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * How far a simple command is known:
 * `steer` the shell's own words that only steer it; `read` a program that only reads, searches,
 * lists or prints; `function` one defined in the same text, whose body was walked;
 * `other` anything else, with what it visibly does told in the other lists.
 */
export type CommandKind = 'steer' | 'read' | 'function' | 'other'

/** One simple command that would run, however deep it is hidden. */
export interface CommandFinding extends Span {
  /** Its words after expansion; null stands for a word that the text does not tell. */
  readonly words: readonly (string | null)[]
  readonly kind: CommandKind
  /** Started by the shell, or by another program that was told to. */
  readonly via: 'shell' | 'program'
}

/** A file that is opened for reading; null when the text does not tell which. */
export interface ReadFinding extends Span {
  readonly path: string | null
}

/** Something lasting that changes. `path` is null when the text does not tell which file. */
export interface WriteFinding extends Span {
  readonly how: 'redirect' | 'file' | 'state'
  readonly path: string | null
  /** The command that does it, as an index into `commands`; null for a redirect of a group. */
  readonly command: number | null
  readonly message: Phrase
}

/** A read of variables; `names` is null when it can be any of them. */
export interface EnvironmentFinding extends Span {
  readonly names: readonly string[] | null
  readonly message: Phrase
}

/** Something that changes which code runs: a variable, a function, an alias. */
export interface TakeoverFinding extends Span {
  readonly how: 'variable' | 'function' | 'alias'
  readonly name: string
  /** It is set to what many people set it to, such as `PAGER=cat`. */
  readonly isOrdinary?: boolean
  readonly message: Phrase
}

/**
 * Something that is not proven to only read, and not known to write either. `program`: nothing is
 * known of it; `option`: nothing is known of an option or a subcommand; `code`: code of another
 * language; `runner`: it runs what the project holds, as tests do; `variable`: a variable that
 * programs may read as an instruction; `input`: something is fed to it that it may run; `place`:
 * it stands in another folder, where it means something else; `computed`: a computed word may turn
 * out to be an option; `data`: something that the text does not tell would be sent away;
 * `file`: which file is read is not told, or it is not one of the workspace.
 */
export interface UnprovenFinding extends Span {
  readonly what:
    | 'program'
    | 'option'
    | 'code'
    | 'runner'
    | 'variable'
    | 'input'
    | 'place'
    | 'computed'
    | 'data'
    | 'file'
  /** The command that it belongs to, as an index into `commands`. */
  readonly command: number
  /** The one word that it is about. Who lists a command with it has thought of it (SH-8). */
  readonly word?: string
  readonly message: Phrase
}

/** Reading that goes beyond files: over the network, of variables, of other processes. */
export interface ReachFinding extends Span {
  readonly reach: Reach
  readonly message: Phrase
}

export type Reach = 'network' | 'environment' | 'processes' | 'machine'

/**
 * What could not be decided. `syntax`: the text is not understood; `code`: something runs that
 * cannot be read; `name`: the program is computed; `option`: an argument may be an option that
 * writes or starts programs; `effect`: it may write, and nothing shows that it does not.
 */
export interface UnknownFinding extends Span {
  readonly what: 'syntax' | 'code' | 'name' | 'option' | 'effect'
  readonly message: Phrase
}

export interface BackgroundFinding extends Span {
  readonly message: Phrase
}

/** Another agent is started, or our own guard is touched. */
export interface GuardFinding extends Span {
  readonly code: 'agent_spawn' | 'self_protection'
  readonly message: Phrase
}

/** Everything that a command text tells about what bash would do with it. Plain data. */
export interface ShellFindings {
  readonly command: string
  /** The words, when the text is exactly one simple command and nothing else; else null. */
  readonly whole: readonly string[] | null
  readonly commands: readonly CommandFinding[]
  readonly reads: readonly ReadFinding[]
  readonly writes: readonly WriteFinding[]
  readonly environment: readonly EnvironmentFinding[]
  readonly takeovers: readonly TakeoverFinding[]
  /** Absent in what was written before reading had to be proven: that is judged as it was. */
  readonly unproven?: readonly UnprovenFinding[]
  readonly reach?: readonly ReachFinding[]
  readonly unknowns: readonly UnknownFinding[]
  readonly background: readonly BackgroundFinding[]
  readonly guard: readonly GuardFinding[]
}
