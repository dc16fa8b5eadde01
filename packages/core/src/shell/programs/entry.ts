import type { Words } from '../../base/text/phrase.ts'
import type { Reach } from '../findings.ts'

/**
 * What an option of a program means. Several are told in one string, separated by spaces;
 * `-o:` and `--output:` take a value, `--color?` may have one glued to it, `-#` is any number.
 * An option that is not told is not known, and the program is then not known to only read.
 *
 * - `flag`    says nothing about writing (also with a value, which is data)
 * - `quiet`   the program then only prints: help, version, a listing, a dry run
 * - `rehearse` the program then changes nothing on purpose, but runs or keeps something on the way
 * - `write`   the program then changes files
 * - `writeTo` its value is a file that is written, or a folder that is filled
 * - `writeAlso` its value is a file written beside the main output, such as a log
 * - `change`  the program then changes other lasting state
 * - `run`     its value is a command line that is run
 * - `program` its value is the name of a program that is run
 * - `code`    its value is code that we do not read
 * - `load`    its value is a file whose code is run, as when a script is started by name
 * - `environment` the program then prints or hands on the environment
 * - `variable` its value is the name of a variable that is read
 */
export type Role =
  | 'flag'
  | 'quiet'
  | 'rehearse'
  | 'write'
  | 'writeTo'
  | 'writeAlso'
  | 'change'
  | 'run'
  | 'program'
  | 'code'
  | 'load'
  | 'environment'
  | 'variable'

/** What a program does when no option says otherwise. */
export type Does =
  /** Only reads, searches, lists or prints. */
  | 'read'
  /** Changes files. */
  | 'write'
  /** Changes other lasting state: a repository, packages, a database, a machine. */
  | 'change'
  /** Runs what the project holds, as tests and builds do: nobody knows what that is. */
  | 'pass'
  /** Starts the program that its operands name. */
  | 'run'
  /** Runs code that cannot be read. */
  | 'opaque'

/** Which operands are written. */
export type Writes = 'all' | 'first' | 'second' | 'last'

/** One program, as data. Users add their own in the configuration: `shell.programs` (SH-5). */
export interface ProgramEntry {
  /** Names separated by spaces; compared with the last part of the path. */
  readonly names: string
  readonly does: Does
  /** Said of it in a denial, after its name: "removes files". */
  readonly why?: Words
  readonly writes?: Writes
  /** Even a write to /dev/null counts, as the file itself is touched. */
  readonly evenSinks?: boolean
  /** Operands that match this expression change lasting state, as in `sysctl a=b`. */
  readonly changeOperand?: string
  /** Operands that match this expression are code of their own, as in `pytest other.py`. */
  readonly codeOperand?: string
  /** Options with a value that starts a program where it matches: `git log --format=%GG`. */
  readonly codeValue?: Readonly<Record<string, string>>
  /** Operands that match this expression name another machine, as in `tar tf host:file`. */
  readonly remoteOperand?: string
  /** Its words name a machine or are sent to one, so that what is computed may leave (SH-6). */
  readonly addressed?: boolean
  /** `@file` stands for the options in a file. */
  readonly readsLists?: boolean
  readonly options?: Readonly<Partial<Record<Role, string>>>
  /**
   * `gnu` (default): bundles, long options, options also after operands. `posix`: options end
   * at the first operand. `single`: long options have one dash. `words`: the same, and a second
   * dash takes the option back. `none`: no options at all.
   */
  readonly style?: 'gnu' | 'posix' | 'single' | 'words' | 'none'
  /** `--no-x` undoes every `--x` told here, and the later of the two counts. */
  readonly negates?: boolean
  /** Options that count behind `--`, where they belong to something that the program runs. */
  readonly behind?: Readonly<Partial<Record<Role, string>>>
  /** Reading that goes beyond files (SH-10). */
  readonly reach?: Reach
  /** A value is always the next word: letters glued to its option are options of their own. */
  readonly neverGlued?: boolean
  /** What it does without operands, when that differs. */
  readonly bare?: Does
  /** What its subcommands do; names separated by spaces. Global options stand in `options`. */
  readonly sub?: Readonly<Record<string, Omit<ProgramEntry, 'names'>>>
  /** How the command that it starts stands in its operands. */
  readonly wraps?: Wrap
  /** It runs on after the command has ended. */
  readonly background?: boolean
  /** It prints the environment, or hands it on. */
  readonly environment?: boolean
  /** It is another agent, or starts one (SH-17). */
  readonly agent?: boolean
  /** A reader for arguments that are a little language of their own. */
  readonly reader?: string
}

export interface Wrap {
  /** Operands in front of the command. */
  readonly skip?: number
  /** `NAME=value` words in front of the command are assignments. */
  readonly assignments?: boolean
  /** The words are joined and given to a shell. */
  readonly shell?: boolean
  /** The command stands behind `--` only. */
  readonly afterDashes?: boolean
  /** More than the command is run or written, or another one of its name. */
  readonly unproven?: boolean
}
