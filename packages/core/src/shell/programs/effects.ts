import { type Phrase, phrase } from '../../base/text/phrase.ts'
import {
  type Arg,
  isSink,
  noteReach,
  noteUnknown,
  noteUnproven,
  noteVariable,
  noteWrite,
  startedIndirectly,
  type Walk,
} from '../context.ts'
import { answering } from '../entries/answers.ts'
import type { CommandKind, Reach, Span } from '../findings.ts'
import { isStream } from '../input-code.ts'
import { kinds } from '../scope.ts'
import type { Call } from './call.ts'
import type { Parsed, Used } from './options.ts'
import { help, type Option } from './table.ts'

/** `rm --help`: alone, since some programs read on, and elsewhere it may belong to another. */
export function asksForHelp({ args }: Call): boolean {
  return args.length === 1 && args[0]?.text != null && help.has(args[0].text)
}

/**
 * What a program does that is asked for help; null when it is not. `yarn test --help` hands the
 * question to the script, and many programs load the project's code before they answer.
 */
export function readHelp(walk: Walk, call: Call): CommandKind | null {
  if (!asksForHelp(call)) return null
  // Not every interpreter knows the question: it may run what it is fed.
  if (call.program.entry.does === 'pass' && walk.stdin.kind !== 'empty') return null
  if (answersPlainly(call)) return 'read'
  noteUnproven(walk, 'runner', call.at, says(call, phrase('does_runs_project')))
  return 'other'
}

function answersPlainly({ program, title, args }: Call): boolean {
  const { does } = program.entry
  const [name = ''] = title.split(' ')
  // npm keeps a log of whatever it is asked, but for its own version.
  const isLogged = name === 'npm' || name === 'npx'
  if (isLogged && (program.isSub || args[0]?.text !== '--version')) return false
  if (!program.isSub) return does === 'read' || answering.has(name)
  return does !== 'pass' && answering.has(name)
}

/** What is read goes beyond files. */
export function reaches(walk: Walk, call: Call, reach: Reach): void {
  noteReach(walk, reach, call.at, phrase('sh_reaches', { program: call.title, what: reach }))
  if (!call.program.entry.addressed) return
  const isFed = walk.stdin.kind !== 'empty' && walk.stdin.kind !== 'text'
  noteSent(walk, call, isFed ? [call.at] : call.args.filter(isComputed))
}

/** What the text does not tell would leave the machine (SH-6). */
export function noteSent(walk: Walk, call: Call, args: readonly Span[]): void {
  for (const arg of args) {
    noteUnproven(walk, 'data', arg, phrase('sh_sends_computed', { program: call.title }))
  }
}

/** A file on another machine, which a program of its own fetches. */
export function noteRemote(walk: Walk, call: Call, at: Arg): void {
  reaches(walk, call, 'network')
  noteUnproven(walk, 'runner', at, phrase('sh_remote_file', { program: call.title }))
}

function isComputed({ shape, kind }: Arg): boolean {
  return shape.includes('\0') && kind > kinds.number
}

/** What a runner runs is chosen by its input, by some operands, and by where it stands. */
export function noteSteered(walk: Walk, call: Call, operands: readonly Arg[]): void {
  const { codeOperand } = call.program
  if (walk.stdin.kind !== 'empty' || operands.some(isStream)) noteFed(walk, call)
  if (walk.scope.moved) {
    noteUnproven(walk, 'place', call.at, phrase('sh_elsewhere', { program: call.title }))
  }
  for (const operand of operands) {
    if (codeOperand?.test(operand.shape)) {
      noteUnproven(walk, 'code', operand, phrase('sh_inline_code', { program: call.title }))
    }
  }
}

/** A program that runs other things may take its input for instructions as well. */
export function noteFed(walk: Walk, call: Call): void {
  noteUnproven(walk, 'input', call.at, phrase('sh_fed', { program: call.title }))
}

/** Programs of which no option does any harm. */
const harmlessOptions = new RegExp(
  '^g?(?:cat|head|tail|wc|ls|[efz]?grep|cut|tr|nl|tac|rev|fold|fmt|expand|paste|join|comm|cmp|' +
    'diff|basename|dirname|realpath|readlink|stat|du|df|od|hexdump|column|seq|\\w+sum|which|' +
    'pgrep|pidof|id|uname|jq|sleep|test|expr|echo|printf)$',
)

/** Options that are not known, and computed words that may turn out to be one. */
export function noteUnclear(
  walk: Walk,
  call: Call,
  { unknown, unclear }: Pick<Parsed, 'unknown' | 'unclear'>,
): void {
  // An entry that tells no options says nothing against one behind a listed command (SH-8).
  const what = call.program.options.size === 0 ? 'program' : 'option'
  for (const arg of unknown) {
    noteUnproven(walk, what, arg, phrase('sh_unknown_option', { program: call.title }))
  }
  const { isRisky } = call.program
  if (!isRisky && harmlessOptions.test(call.title)) return
  for (const arg of unclear) {
    // Of an option that nobody told we know nothing; a variable of the person is none.
    if (!isRisky && arg.kind !== kinds.any && arg.kind !== kinds.name) continue
    noteUnproven(walk, 'computed', arg, phrase('sh_may_become_option', { program: call.title }))
  }
}

export interface Outcome {
  isQuiet: boolean
  /** It changes nothing on purpose, but nobody knows what it does on the way. */
  isRehearsed: boolean
  /** An option took over the place of the written operand, as `cp -t folder` does. */
  hasTarget: boolean
  changes: boolean
  /** Options that write unless another one makes the program only print. */
  readonly writing: Arg[]
}

/** Notes what the used options do. */
export function noteOptions(walk: Walk, call: Call, used: readonly Used[]): Outcome {
  const outcome: Outcome = {
    isQuiet: false,
    isRehearsed: false,
    hasTarget: false,
    changes: false,
    writing: [],
  }
  for (const each of used) {
    noteOption(walk, call, each, outcome)
    noteCodeValue(walk, call, each, outcome)
  }
  return outcome
}

/** A value that starts a program, or that may turn out to be one. */
function noteCodeValue(walk: Walk, call: Call, { option, value }: Used, outcome: Outcome): void {
  const code = call.program.codeValue.get(option.name)
  if (code === undefined || value === null) return
  if (value.text !== null && !code.test(value.text)) return
  outcome.changes = true
  const title = `${call.title} ${option.name}`
  noteUnproven(walk, 'code', value, phrase('sh_runs_code_cannot_read', { title }))
}

function noteOption(walk: Walk, call: Call, used: Used, outcome: Outcome): void {
  const { option, value, at } = used
  const title = `${call.title} ${option.name}`
  if (used.isOff) {
    // `--dry-run --no-dry-run` is no dry run.
    if (option.role === 'quiet') outcome.isQuiet = false
    if (option.role === 'rehearse') outcome.isRehearsed = false
    return
  }
  switch (option.role) {
    case 'flag':
      return
    case 'load':
      outcome.changes = true
      noteUnproven(walk, 'code', value ?? at, phrase('sh_loads_code', { program: title }))
      return
    case 'quiet':
      outcome.isQuiet = !isSwitchedOff(option, value)
      return
    case 'rehearse':
      outcome.isRehearsed = !isSwitchedOff(option, value)
      return
    case 'write':
      outcome.writing.push(at)
      return
    case 'writeTo':
    case 'writeAlso':
      if (option.role === 'writeTo') outcome.hasTarget = true
      if (noteWritten(walk, used, title)) outcome.changes = true
      return
    case 'change':
      outcome.changes = true
      noteWrite(walk, 'state', null, at, phrase('sh_changes_lasting_state', { program: title }))
      return
    case 'run':
      outcome.changes = true
      runCommandLine(walk, value, at)
      return
    case 'program':
      outcome.changes = true
      if (value === null) return
      startedIndirectly(walk, value, () =>
        walk.runArgs({ ...walk, via: 'program' }, [value], value),
      )
      return
    case 'code':
      outcome.changes = true
      noteUnproven(walk, 'code', value ?? at, phrase('sh_runs_code_cannot_read', { title }))
      return
    case 'environment':
      noteVariable(walk, null, at, phrase('sh_shows_environment', { program: title }))
      return
    case 'variable':
      // With a value behind it the variable is set, not read.
      if (!value?.shape.includes('=')) noteVariable(walk, value?.text ?? null, value ?? at)
      return
    default:
      option.role satisfies never
  }
}

/** The file that an option writes; false where it is nothing but output. */
function noteWritten(walk: Walk, { value, at }: Used, title: string): boolean {
  if (value?.text != null && (isSink(value.text) || value.text === '-')) return false
  if (value !== null && isOutput(value)) return false
  const message = phrase('sh_writes_file', { program: title })
  noteWrite(walk, 'file', value?.text ?? null, value ?? at, message)
  return true
}

/** `--dry-run=none` is no dry run, and what is computed may be just that. */
function isSwitchedOff(option: Option, value: Arg | null): boolean {
  if (option.takes === 'value' || value === null) return false
  return value.text === null || /^(?:none|false|no|off|0)$/i.test(value.text)
}

/** A value that is given to a shell. */
export function runCommandLine(walk: Walk, value: Arg | null, at: Span): void {
  const inner = { ...walk, via: 'program' as const, depth: walk.depth + 1 }
  if (value === null) return
  const { text } = value
  if (text === null) noteUnknown(walk, 'code', value, phrase('sh_command_line_computed'))
  else startedIndirectly(walk, at, () => walk.runText(inner, text, at, value.verbatim))
}

/** `>(…)` is a pipe into commands that were walked where they stand. */
export function isOutput(target: Arg): boolean {
  return target.process === '>' && target.shape === '\0'
}

export function says(
  { title, program }: Call,
  otherwise = phrase('does_not_allowed_here'),
): Phrase {
  return phrase('sh_program_does', { program: title, does: program.entry.why ?? otherwise })
}

export function spanAt(at: Span): Span {
  return { start: at.start, end: at.end }
}
