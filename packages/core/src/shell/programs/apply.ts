import { type Phrase, phrase } from '../../base/text/phrase.ts'
import {
  type Arg,
  isSink,
  noteUnknown,
  noteVariable,
  noteWrite,
  startedIndirectly,
  type Walk,
} from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import { anything, assign } from '../scope.ts'
import { noteAssignment } from '../variables.ts'
import type { Does, Wrap } from './entry.ts'
import { mayBeOption, type Parsed, parseOptions, type Used } from './options.ts'
import type { Option, Program } from './table.ts'

/** A program with its arguments, as its entry or its reader sees them. */
export interface Call {
  readonly program: Program
  /** How it is called in messages: `git push`. */
  readonly title: string
  readonly args: readonly Arg[]
  readonly at: Span
  readonly read: ReadProgram
}

export type Reader = (walk: Walk, call: Call) => CommandKind
export type ReadProgram = (walk: Walk, call: Omit<Call, 'read'>) => CommandKind

/** Reads a call by its entry and notes what it does. */
export function applyEntry(walk: Walk, call: Call): CommandKind {
  const { program } = call
  const { entry } = program
  if (program.subs !== null) return applySubcommand(walk, call, program.subs)
  if (entry.agent) {
    const message = phrase('sh_starts_agent', { program: call.title })
    walk.notes.guard.push({ code: 'agent_spawn', ...spanAt(call.at), message })
  }
  const parsed = parseOptions(program, call.args)
  if (entry.wraps !== undefined) return applyWrapper(walk, call, parsed, entry.wraps)
  noteUnclear(walk, call, parsed.unclear)
  const outcome = noteOptions(walk, call, parsed.used)
  if (entry.environment && !outcome.isQuiet) noteVariable(walk, null, call.at, says(call))
  return finish(walk, call, parsed.operands, outcome)
}

export interface Outcome {
  isQuiet: boolean
  /** An option took over the place of the written operand, as `cp -t folder` does. */
  hasTarget: boolean
  changes: boolean
  /** Options that write unless another one makes the program only print. */
  readonly writing: Arg[]
}

/** The default effect of the program and its written operands. */
export function finish(
  walk: Walk,
  call: Call,
  operands: readonly Arg[],
  outcome: Outcome,
): CommandKind {
  const { entry } = call.program
  let writes = false
  const change = call.program.changeOperand
  for (const operand of change === null ? [] : operands) {
    if (!change?.test(operand.shape)) continue
    writes = true
    noteWrite(walk, 'state', null, operand, says(call, phrase('does_changes_lasting_state')))
  }
  if (outcome.isQuiet) return outcome.changes || writes ? 'other' : 'read'
  for (const at of outcome.writing) {
    writes = true
    noteWrite(
      walk,
      'file',
      null,
      at,
      phrase('sh_changes_files', { title: call.title, shape: at.shape }),
    )
  }
  if (!writes && isReading(call, operands)) return outcome.changes ? 'other' : 'read'
  if (entry.background) {
    walk.notes.background.push({
      ...spanAt(call.at),
      message: says(call, phrase('does_runs_itself')),
    })
  }
  const does: Does = operands.length === 0 && entry.bare ? entry.bare : entry.does
  const targets = outcome.hasTarget ? [] : pickTargets(entry.writes, operands)
  for (const target of targets) {
    if (target.text !== null && isSink(target.text) && !entry.evenSinks) continue
    if (target.text === '-' || isOutput(target)) continue
    writes = true
    noteWrite(walk, 'file', target.text, target, says(call, phrase('does_writes_files')))
  }
  switch (does) {
    case 'read':
      return writes || outcome.changes ? 'other' : 'read'
    case 'write':
      if (targets.length === 0 && !outcome.hasTarget) {
        noteWrite(walk, 'file', null, call.at, says(call, phrase('does_changes_files')))
      }
      return 'other'
    case 'change':
      noteWrite(walk, 'state', null, call.at, says(call, phrase('does_changes_lasting_state')))
      return 'other'
    case 'opaque':
      noteUnknown(walk, 'code', call.at, says(call, phrase('does_runs_code_cannot_read')))
      return 'other'
    case 'pass':
    case 'run':
      return 'other'
    default:
      does satisfies never
      return 'other'
  }
}

/** `>(…)` is a pipe into commands that were walked where they stand. */
function isOutput(target: Arg): boolean {
  return target.process === '>' && target.shape === '\0'
}

/** Cloud tools name what they do in one of their first words. */
function isReading(call: Call, operands: readonly Arg[]): boolean {
  const pattern = call.program.readOperand
  if (pattern === null) return false
  for (const { text } of operands.slice(0, 4)) {
    if (text === null || changingVerb.test(text)) return false
    if (pattern.test(text)) return true
  }
  return false
}

/** Behind one of these a later word such as `list` is a name, not what is done. */
const changingVerb = new RegExp(
  '^(?:rm|rb|mb|cp|mv|sync|set|add|put|new|run|start|stop|restart|reset|import|export|apply|' +
    'exec|ssh|scp|migrate|up|down|(?:delete|create|update|remove|terminate|modify|attach|' +
    'detach|put|set|add|deploy|destroy|enable|disable|patch|edit|install|uninstall|upgrade|' +
    'publish|push|submit|cancel|reboot|invoke|send|upload|download|copy|move|purge|drop|seed)' +
    '(?:[-:].*)?)$',
)

function pickTargets(writes: string | undefined, operands: readonly Arg[]): readonly Arg[] {
  switch (writes) {
    case 'all':
      return operands
    case 'first':
      return operands.slice(0, 1)
    case 'second':
      return operands.slice(1, 2)
    case 'last':
      return operands.length > 1 ? operands.slice(-1) : []
    default:
      return []
  }
}

export function noteUnclear(walk: Walk, call: Call, unclear: readonly Arg[]): void {
  if (!call.program.isRisky) return
  for (const arg of unclear) {
    const message =
      arg.text === null
        ? phrase('sh_may_become_option', { program: call.title })
        : phrase('sh_unknown_option', { program: call.title })
    noteUnknown(walk, call.program.canStart ? 'option' : 'effect', arg, message)
  }
}

/** Notes what the used options do. */
export function noteOptions(walk: Walk, call: Call, used: readonly Used[]): Outcome {
  const outcome: Outcome = { isQuiet: false, hasTarget: false, changes: false, writing: [] }
  for (const each of used) noteOption(walk, call, each, outcome)
  return outcome
}

function noteOption(walk: Walk, call: Call, { option, value, at }: Used, outcome: Outcome): void {
  const title = `${call.title} ${option.name}`
  switch (option.role) {
    case 'flag':
    case 'load':
      return
    case 'quiet':
      outcome.isQuiet ||= !isSwitchedOff(option, value)
      return
    case 'write':
      outcome.writing.push(at)
      return
    case 'writeTo':
    case 'writeAlso':
      if (option.role === 'writeTo') outcome.hasTarget = true
      if (value?.text != null && (isSink(value.text) || value.text === '-')) return
      if (value !== null && isOutput(value)) return
      outcome.changes = true
      noteWrite(
        walk,
        'file',
        value?.text ?? null,
        value ?? at,
        phrase('sh_writes_file', { program: title }),
      )
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
      noteUnknown(walk, 'code', value ?? at, phrase('sh_runs_code_cannot_read', { title }))
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

function applySubcommand(walk: Walk, call: Call, subs: ReadonlyMap<string, Program>): CommandKind {
  const { program } = call
  const { entry } = program
  const parsed = parseOptions({ ...program, entry: { ...entry, style: 'posix' } }, call.args)
  noteUnclear(walk, call, parsed.unclear)
  const outcome = noteOptions(walk, call, parsed.used)
  if (outcome.isQuiet) return outcome.changes ? 'other' : 'read'
  const name = parsed.operands[0]
  if (name === undefined) {
    return finish(walk, call, [], outcome)
  }
  if (name.text === null) {
    noteUnknown(walk, 'option', name, phrase('sh_subcommand_computed', { title: call.title }))
    return 'other'
  }
  const sub = subs.get(name.text)
  if (sub === undefined) {
    outcome.isQuiet = /^--?help$/.test(parsed.operands[1]?.text ?? '')
    return finish(walk, call, parsed.operands, outcome)
  }
  const kind = call.read(walk, {
    program: sub,
    title: `${call.title} ${name.text}`,
    args: parsed.operands.slice(1),
    at: call.at,
  })
  return outcome.changes ? 'other' : kind
}

/** Looks through a program to the one it starts (SH-4). */
function applyWrapper(walk: Walk, call: Call, parsed: Parsed, wrap: Wrap): CommandKind {
  const outcome = noteOptions(walk, call, parsed.used)
  const { operands } = parsed
  let from = wrap.skip ?? 0
  if (wrap.afterDashes) {
    const dashes = call.args.findIndex((arg) => arg.text === '--')
    if (dashes === -1) return finish(walk, call, operands, outcome)
    runRest(walk, call, call.args.slice(dashes + 1), wrap)
    return 'other'
  }
  while (wrap.assignments && from < operands.length) {
    const operand = operands[from] as Arg // The index is inside the list.
    const equals = operand.shape.indexOf('=')
    if (equals < 0) break
    const name = operand.shape.slice(0, equals)
    const text = operand.text === null ? null : operand.text.slice(equals + 1)
    const value = { text, shape: operand.shape.slice(equals + 1), kind: operand.kind }
    noteAssignment(walk, name, value, operand)
    assign(walk.scope, name, anything)
    from++
  }
  // What stands in front decides where the command begins, so it has to be known.
  const doubtful = parsed.unclear.filter((arg) => {
    const place = operands.indexOf(arg)
    return place === -1 || place < from
  })
  noteUnclear(walk, call, doubtful)
  const rest = operands.slice(from)
  if (entryRunsOn(call) && !outcome.isQuiet) {
    walk.notes.background.push({
      ...spanAt(call.at),
      message: says(call, phrase('does_runs_itself')),
    })
  }
  if (rest.length === 0 || outcome.writing.length > 0) {
    if (call.program.entry.environment && !outcome.isQuiet) {
      noteVariable(walk, null, call.at, phrase('sh_prints_environment', { title: call.title }))
    }
    if (outcome.isQuiet) return 'read'
    const does = call.program.entry.bare ?? 'read'
    return finish(walk, { ...call, program: withDoes(call.program, does) }, [], outcome)
  }
  runRest(walk, call, rest, wrap)
  return outcome.changes || outcome.isQuiet ? 'other' : wrapperKind(call)
}

function withDoes(program: Program, does: Does): Program {
  return { ...program, entry: { ...program.entry, does, background: false } }
}

/** A wrapper is as harmless as what it starts, which is judged on its own. */
function wrapperKind(call: Call): CommandKind {
  return call.program.entry.does === 'run' ? 'read' : 'other'
}

function entryRunsOn(call: Call): boolean {
  return call.program.entry.background === true
}

function runRest(walk: Walk, call: Call, rest: readonly Arg[], wrap: Wrap): void {
  const { does } = call.program.entry
  if (does === 'change') {
    noteWrite(walk, 'state', null, call.at, says(call, phrase('does_changes_lasting_state')))
  }
  if (!wrap.shell) {
    walk.runArgs(walk, rest, call.at)
    return
  }
  const texts: string[] = []
  for (const arg of rest) {
    if (arg.text === null || mayBeOption(arg)) {
      noteUnknown(walk, 'code', arg, phrase('sh_runs_command_line_computed', { title: call.title }))
      return
    }
    texts.push(arg.text)
  }
  const verbatim = rest.length === 1 ? (rest[0]?.verbatim ?? -1) : -1
  const first = rest[0]
  const at = first === undefined ? call.at : { start: first.start, end: rest.at(-1)?.end ?? 0 }
  walk.runText({ ...walk, via: 'program', depth: walk.depth + 1 }, texts.join(' '), at, verbatim)
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
