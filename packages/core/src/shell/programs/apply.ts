import { phrase } from '../../base/text/phrase.ts'
import {
  type Arg,
  isSink,
  noteUnknown,
  noteUnproven,
  noteVariable,
  noteWrite,
  type Walk,
} from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { anything, assign } from '../scope.ts'
import { noteAssignment, noteHanded } from '../variables.ts'
import type { Call } from './call.ts'
import {
  isOutput,
  noteFed,
  noteOptions,
  noteRemote,
  noteSteered,
  noteUnclear,
  type Outcome,
  readHelp,
  says,
  spanAt,
} from './effects.ts'
import type { Does, Wrap } from './entry.ts'
import { mayBeOption, type Parsed, parseOptions } from './options.ts'
import { help, type Program } from './table.ts'

/** Reads a call by its entry and notes what it does. */
export function applyEntry(walk: Walk, call: Call): CommandKind {
  const { program } = call
  const { entry } = program
  if (program.subs !== null) return applySubcommand(walk, call, program.subs)
  if (entry.agent) {
    const message = phrase('sh_starts_agent', { program: call.title })
    walk.notes.guard.push({ code: 'agent_spawn', ...spanAt(call.at), message })
  }
  const request = readHelp(walk, call)
  if (request !== null) return request
  const parsed = parseOptions(program, call.args)
  if (entry.wraps !== undefined) return applyWrapper(walk, call, parsed, entry.wraps)
  noteUnclear(walk, call, parsed)
  noteBehind(walk, call, parsed)
  const outcome = noteOptions(walk, call, parsed.used)
  if (entry.environment && !outcome.isQuiet) noteVariable(walk, null, call.at, says(call))
  const kind = finish(walk, call, parsed.operands, outcome)
  return parsed.unknown.length > 0 && kind === 'read' ? 'other' : kind
}

/** Behind `--` stand words for what the program runs; some of those are options that write. */
function noteBehind(walk: Walk, call: Call, { behind }: Parsed): void {
  const { program } = call
  if (program.behind === null || behind.length === 0) return
  const parsed = parseOptions(program.behind, behind)
  const inner = { ...call, program: program.behind }
  noteUnclear(walk, inner, parsed)
  noteOptions(walk, inner, parsed.used)
}

/** The default effect of the program and its written operands. */
function finish(walk: Walk, call: Call, operands: readonly Arg[], outcome: Outcome): CommandKind {
  const { entry } = call.program
  const changes = noteChanges(walk, call, operands)
  const listed = entry.readsLists ? operands.find(({ shape }) => shape.startsWith('@')) : undefined
  if (listed !== undefined) {
    noteUnproven(walk, 'option', listed, phrase('sh_unknown_option', { program: call.title }))
    return 'other'
  }
  const remote = call.program.remoteOperand
  for (const operand of remote === null ? [] : operands) {
    if (remote?.test(operand.shape)) noteRemote(walk, call, operand)
  }
  if (outcome.isRehearsed) {
    noteUnproven(walk, 'runner', call.at, says(call, phrase('does_only_tries')))
    return 'other'
  }
  if (outcome.isQuiet) return outcome.changes || changes ? 'other' : 'read'
  for (const at of outcome.writing) {
    const message = phrase('sh_changes_files', { title: call.title, shape: at.shape })
    noteWrite(walk, 'file', null, at, message)
  }
  if (entry.background) {
    const message = says(call, phrase('does_runs_itself'))
    walk.notes.background.push({ ...spanAt(call.at), message })
  }
  const targets = outcome.hasTarget ? [] : pickTargets(entry.writes, operands)
  const writes = noteTargets(walk, call, operands, targets)
  const isRead = !changes && !writes && !outcome.changes && outcome.writing.length === 0
  const hasTarget = outcome.hasTarget || targets.length > 0
  return noteUsual(walk, call, operands, { isRead, hasTarget })
}

/** Operands by which a program changes more than files. */
function noteChanges(walk: Walk, call: Call, operands: readonly Arg[]): boolean {
  const change = call.program.changeOperand
  const found = change === null ? [] : operands.filter(({ shape }) => change.test(shape))
  for (const operand of found) {
    noteWrite(walk, 'state', null, operand, says(call, phrase('does_changes_lasting_state')))
  }
  return found.length > 0
}

/** Notes the operands that are written, and answers whether there may be any. */
function noteTargets(
  walk: Walk,
  call: Call,
  operands: readonly Arg[],
  targets: readonly Arg[],
): boolean {
  const { writes, evenSinks } = call.program.entry
  const message = says(call, phrase('does_writes_files'))
  // A computed word may become two, and the second is written.
  const unclear = writes === 'second' ? operands.find(mayBeSeveral) : undefined
  if (unclear !== undefined) noteUnproven(walk, 'computed', unclear, message)
  // To `uniq a -` it is the output, to `tee -` and `cp a -` a name like any other.
  const isDashOutput = writes !== 'all' && writes !== 'last'
  const files = targets.filter((target) => {
    if (target.text !== null && isSink(target.text) && !evenSinks) return false
    return !(target.text === '-' && isDashOutput) && !isOutput(target)
  })
  for (const file of files) noteWrite(walk, 'file', file.text, file, message)
  return files.length > 0 || unclear !== undefined
}

/** What a program does whatever its words say, and what kind of command that makes it. */
function noteUsual(
  walk: Walk,
  call: Call,
  operands: readonly Arg[],
  seen: { readonly isRead: boolean; readonly hasTarget: boolean },
): CommandKind {
  const { entry } = call.program
  const does: Does = operands.length === 0 && entry.bare ? entry.bare : entry.does
  switch (does) {
    case 'read':
      return seen.isRead ? 'read' : 'other'
    case 'write':
      if (!seen.hasTarget) {
        noteWrite(walk, 'file', null, call.at, says(call, phrase('does_changes_files')))
      }
      return 'other'
    case 'change':
      noteWrite(walk, 'state', null, call.at, says(call, phrase('does_changes_lasting_state')))
      return 'other'
    case 'opaque':
      noteUnproven(walk, 'code', call.at, says(call, phrase('does_runs_code_cannot_read')))
      return 'other'
    case 'pass':
      noteUnproven(walk, 'runner', call.at, says(call, phrase('does_runs_project')))
      noteSteered(walk, call, operands)
      return 'other'
    case 'run':
      return 'other'
    default:
      does satisfies never
      return 'other'
  }
}

function mayBeSeveral({ text, process }: Arg): boolean {
  return text === null && process === ''
}

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

function applySubcommand(walk: Walk, call: Call, subs: ReadonlyMap<string, Program>): CommandKind {
  const { program } = call
  const { entry } = program
  const request = readHelp(walk, call)
  if (request !== null) return request
  const parsed = parseOptions({ ...program, entry: { ...entry, style: 'posix' } }, call.args)
  noteUnclear(walk, call, { ...parsed, unclear: [] })
  const outcome = noteOptions(walk, call, parsed.used)
  const proven = (kind: CommandKind): CommandKind =>
    kind === 'read' && (outcome.changes || parsed.unknown.length > 0) ? 'other' : kind
  if (outcome.isQuiet) return proven('read')
  const name = parsed.operands[0]
  if (name === undefined) return proven(finish(walk, call, [], outcome))
  // `git stash -- list` names a file.
  if (name.text === null || parsed.behind[0] === name) {
    noteUnproven(walk, 'option', name, phrase('sh_subcommand_computed', { title: call.title }))
    return 'other'
  }
  const sub = subs.get(name.text)
  if (sub === undefined) {
    // It is help, unless a program of that name is started: `cargo foo --help`.
    const isHelp = help.has(parsed.operands[1]?.text ?? '')
    if (entry.does === 'read' || entry.does === 'pass' || isHelp) {
      noteUnproven(walk, 'option', name, phrase('sh_unknown_subcommand', { program: call.title }))
      return 'other'
    }
    return finish(walk, call, parsed.operands, outcome)
  }
  const kind = call.read(walk, {
    program: sub,
    title: `${call.title} ${name.text}`,
    args: parsed.operands.slice(1),
    at: call.at,
  })
  return proven(kind)
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
    noteHanded(walk, name, operand)
    assign(walk.scope, name, anything)
    from++
  }
  // What stands in front decides where the command begins, so it has to be known.
  const unclear = parsed.unclear.filter((arg) => {
    const index = operands.indexOf(arg)
    return index === -1 || index < from
  })
  noteUnclear(walk, call, { unknown: parsed.unknown, unclear })
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
    if (outcome.isQuiet) return parsed.unknown.length > 0 ? 'other' : 'read'
    if (walk.stdin.kind !== 'empty' && call.program.entry.bare !== 'read') noteFed(walk, call)
    const { does: usual, bare } = call.program.entry
    const does = bare ?? (usual === 'opaque' ? usual : 'read')
    return finish(walk, { ...call, program: withDoes(call.program, does) }, [], outcome)
  }
  runRest(walk, call, rest, wrap)
  const isDoubtful = outcome.changes || outcome.isQuiet || parsed.unknown.length > 0
  return isDoubtful ? 'other' : wrapperKind(call)
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
  if (wrap.unproven) {
    noteUnproven(walk, 'runner', call.at, says(call, phrase('does_runs_project')))
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
