import type { ParsedScript, Word, WordPart } from 'unbash'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type {
  BackgroundFinding,
  CommandFinding,
  EnvironmentFinding,
  GuardFinding,
  Reach,
  ReachFinding,
  ReadFinding,
  Span,
  TakeoverFinding,
  UnknownFinding,
  UnprovenFinding,
  WriteFinding,
} from './findings.ts'
import type { ProgramTable } from './programs/table.ts'
import { type Kind, kinds, type Scope, type Stdin, type Value, type Workspace } from './scope.ts'

/** Bounds of one analysis (SH-13). */
export const maxNesting = 100
const maxSteps = 5000

/** Thrown to leave a text that is too deep or unfolds too far; caught where analysis starts. */
export const tooMuch = 'too much'

/** Counts work, and leaves the analysis when there has been too much of it. */
export function charge(walk: Walk, steps: number): void {
  const { notes } = walk
  notes.steps += steps
  if (notes.steps > maxSteps || walk.depth > maxNesting) throw new Error(tooMuch)
}

/** The lists of the findings while they grow. */
export interface Notes {
  readonly commands: CommandFinding[]
  readonly reads: ReadFinding[]
  readonly writes: WriteFinding[]
  readonly environment: EnvironmentFinding[]
  readonly takeovers: TakeoverFinding[]
  readonly unproven: UnprovenFinding[]
  readonly reach: ReachFinding[]
  readonly unknowns: UnknownFinding[]
  readonly background: BackgroundFinding[]
  readonly guard: GuardFinding[]
  /** Variables already noted, so that a loop of a thousand reads stays one finding. */
  readonly namesRead: Set<string>
  /** Variables declared as integers: whatever is put into them is evaluated. */
  readonly integers: Set<string>
  /** Variables that refuse to be set again, so that what is put into them may not arrive. */
  readonly fixed: Set<string>
  /** Variables that functions set, and which nobody knows after a call of one. */
  readonly setByFunctions: Set<string>
  /** Nodes walked so far: bounds the work of text that unfolds (SH-13). */
  steps: number
  /** A variable whose content is not known is evaluated as arithmetic somewhere. */
  evaluatesText: Span | null
  /** Quoted text stands in the command that would run if it were evaluated as a subscript. */
  hasSubscriptText: boolean
  /** Aliases are switched on, so that later words may mean something else. */
  expandsAliases: boolean
  definesAlias: Span | null
  /** The command speaks of /proc somewhere, so a bare `environ` may lie there. */
  readonly mentionsProc: boolean
}

/** One word of a command after expansion. */
export interface Arg extends Value, Span {
  /** Without quotes around what is computed: it may become several words, or none. */
  readonly splits: boolean
  /** Where the text stands verbatim in the original command, or -1. */
  readonly verbatim: number
  /** A process substitution: `<(…)` hands its output over as a file. */
  readonly process: '' | '<' | '>'
}

/** A word under construction. */
export interface Builder {
  shape: string
  kind: Kind
  isKnown: boolean
  splits: boolean
  /** It begins with a variable, which may be nothing. */
  mayBeginEmpty: boolean
  process: '' | '<' | '>'
}

export function newBuilder(): Builder {
  return {
    shape: '',
    kind: kinds.text,
    isKnown: true,
    splits: false,
    mayBeginEmpty: false,
    process: '',
  }
}

/** Where the walk is. Functions that the walk's parts call on each other are handed along. */
export interface Walk {
  readonly notes: Notes
  readonly programs: ProgramTable
  readonly workspace?: Workspace | undefined
  /** The text that positions of the current tree index. */
  readonly source: string
  /** Added to such a position to get an offset into the original command. */
  readonly base: number
  /** Set when positions cannot be mapped: everything inside is told as this part. */
  readonly within: Span | null
  readonly depth: number
  readonly scope: Scope
  readonly stdin: Stdin
  readonly via: 'shell' | 'program'
  /** Index of the command that is looked at, for what it writes. */
  readonly command: number
  /** Expands a word that stays one word. */
  readonly resolveSingle: (walk: Walk, word: Word) => Arg
  /** Adds parts of a word, walking whatever runs inside them. */
  readonly addParts: (
    walk: Walk,
    parts: readonly WordPart[],
    builder: Builder,
    quoted: boolean,
  ) => void
  readonly runScript: (walk: Walk, script: ParsedScript) => void
  /** Runs text as a script of its own: `bash -c`, `eval`, a trap. */
  readonly runText: (walk: Walk, text: string, at: Span, verbatim: number) => void
  /** Runs words as a command that another program starts. */
  readonly runArgs: (walk: Walk, args: readonly Arg[], at: Span) => void
}

export function spanOf(walk: Walk, node: { readonly pos: number; readonly end: number }): Span {
  if (walk.within !== null) return walk.within
  return { start: node.pos + walk.base, end: node.end + walk.base }
}

export function newNotes(command: string): Notes {
  return {
    commands: [],
    reads: [],
    writes: [],
    environment: [],
    takeovers: [],
    unproven: [],
    reach: [],
    unknowns: [],
    background: [],
    guard: [],
    namesRead: new Set(),
    integers: new Set(),
    fixed: new Set(),
    setByFunctions: new Set(),
    steps: 0,
    evaluatesText: null,
    hasSubscriptText: false,
    expandsAliases: false,
    definesAlias: null,
    mentionsProc: /proc|\/dev\/fd|\\/.test(command),
  }
}

export function noteUnknown(
  walk: Walk,
  what: UnknownFinding['what'],
  at: Span,
  message: Phrase,
): void {
  walk.notes.unknowns.push({ what, start: at.start, end: at.end, message })
}

/** Something is not known to only read: it may run where it can do no harm (SH-6). */
export function noteUnproven(
  walk: Walk,
  what: UnprovenFinding['what'],
  at: Span & { readonly text?: string | null },
  message: Phrase,
): void {
  const { command, notes } = walk
  const { start, end, text: word } = at
  notes.unproven.push({ what, command, start, end, ...(word == null ? {} : { word }), message })
}

/** It only reads, but more than files (SH-10). */
export function noteReach(walk: Walk, reach: Reach, at: Span, message: Phrase): void {
  walk.notes.reach.push({ reach, start: at.start, end: at.end, message })
}

/** A read of one variable; null when it can be any of them. */
export function noteVariable(walk: Walk, name: string | null, at: Span, message?: Phrase): void {
  const { notes } = walk
  if (name === null) {
    const text = message ?? phrase('sh_reads_computed_variable')
    notes.environment.push({ names: null, start: at.start, end: at.end, message: text })
    return
  }
  if (notes.namesRead.has(name)) return
  notes.namesRead.add(name)
  const text = message ?? phrase('sh_reads_variable', { name })
  notes.environment.push({ names: [name], start: at.start, end: at.end, message: text })
}

const sinks = new Set([
  '/dev/null',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/zero',
  '/dev/full',
  '/dev/tty',
])
/** Opened by its name, any other descriptor may be a file that was opened for reading. */
const descriptorFile = /^\/dev\/fd\/[12]$|^\/proc\/self\/fd\/[12]$/

/** Places where writing leaves nothing behind. */
export function isSink(path: string): boolean {
  return sinks.has(path) || (path.startsWith('/') && descriptorFile.test(path))
}

export function noteWrite(
  walk: Walk,
  how: WriteFinding['how'],
  path: string | null,
  at: Span,
  message: Phrase,
): void {
  const { command, notes } = walk
  notes.writes.push({ how, path, start: at.start, end: at.end, command, message })
}

/**
 * A program that an option or a variable starts is not what the command is for: unless it is
 * known to only read, it is code that nobody looks at.
 */
export function startedIndirectly(walk: Walk, at: Span, start: () => void): void {
  const before = walk.notes.commands.length
  start()
  for (const { kind } of walk.notes.commands.slice(before)) {
    if (kind === 'read' || kind === 'steer') continue
    noteUnproven(walk, 'code', at, phrase('sh_starts_program_not_known'))
    return
  }
}
