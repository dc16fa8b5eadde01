import type { Assignment, Command, Redirection } from 'unbash'
import { phrase } from '../base/text/phrase.ts'
import { noteArithmeticText, noteEvaluated, noteEvaluatedWord } from './arithmetic.ts'
import type { Declared } from './builtins/builtin.ts'
import { findBuiltin } from './builtins/table.ts'
import { type Arg, charge, noteUnknown, noteUnproven, spanOf, type Walk } from './context.ts'
import { noteEnvironmentFile, noteSearchOfAll } from './environment-files.ts'
import type { CommandFinding, CommandKind, Span } from './findings.ts'
import { noteGuarded } from './guarded.ts'
import { mayBeOption } from './programs/options.ts'
import { readProgram } from './programs/read.ts'
import { findProgram } from './programs/table.ts'
import { walkRedirects } from './redirects.ts'
import { anything, assign, kinds, lookUp, someNumber, type Value } from './scope.ts'
import { unknownProgram } from './unknown-program.ts'
import { noteAssignment, noteHanded } from './variables.ts'
import { resolveArgument, resolveSingle } from './words.ts'
import { noteFiles } from './workspace-files.ts'

/** A command as bash sees it: assignments, words, redirections. */
export function walkSimple(walk: Walk, node: Command): void {
  const redirects: Redirection[] = []
  const prefix: Assignment[] = []
  for (const part of node.prefix) {
    if (part.type === 'Assignment') prefix.push(part)
    else redirects.push(part)
  }
  charge(walk, 1 + node.suffix.length + node.prefix.length)
  const args: Arg[] = []
  const declared: Declared[] = []
  if (node.name !== undefined) resolveArgument(walk, node.name, args)
  let end = node.name?.end ?? -1
  for (const part of node.suffix) {
    const from = args.length
    if (part.type === 'Word') resolveArgument(walk, part, args)
    else if (part.type === 'Assignment') declared.push(readAssignment(walk, part, args))
    else redirects.push(part)
    if (part.type === 'Word' && part.pos === end) glue(args, from)
    end = part.end
  }
  const lent: [name: string, value: Value][] = []
  for (const assignment of prefix) {
    const { name, value, at } = readAssignment(walk, assignment, null)
    noteAssignment(walk, name, value, at)
    const isInteger = walk.notes.integers.has(name)
    if (isInteger) noteEvaluated(walk, value.text, at, name)
    const kept = walk.notes.fixed.has(name) ? anything : isInteger ? someNumber : value
    if (node.name === undefined) assign(walk.scope, name, kept)
    else if (name !== 'IFS') lent.push([name, { ...value }])
  }
  if (args.length === 0) {
    walkRedirects(walk, redirects, null)
    if (node.name !== undefined) {
      noteUnknown(walk, 'name', spanOf(walk, node), phrase('sh_command_name_computed'))
    }
    return
  }
  const command = walk.notes.commands.length
  const inherited = walk.stdin.kind === 'empty' ? (walk.scope.input ?? walk.stdin) : walk.stdin
  const outer = inherited === walk.stdin ? walk : { ...walk, stdin: inherited }
  const stdin = redirects.length === 0 ? inherited : walkRedirects(outer, redirects, command)
  // Redirections were walked first, so substitutions in them have taken their places already.
  const placed = walk.notes.commands.length
  if (placed !== command) shiftWrites(walk, command, placed)
  for (const { name, pos, end } of prefix) {
    noteHanded({ ...walk, command: placed }, name, spanOf(walk, { pos, end }))
  }
  const giveBack = lend(walk, lent)
  // `IFS=x eval …` splits by x what it runs; read, the usual reason to set it, runs nothing.
  if (prefix.some(({ name }) => name === 'IFS') && args[0]?.text !== 'read') {
    walk.scope.oddSplitting = true
  }
  runCommand({ ...walk, stdin }, args, spanOf(walk, node), declared)
  giveBack(findBuiltin(args[0]?.text ?? '') !== undefined)
}

/** The parser cuts `--file=<(…)` in two where bash sees one word, so they are put together. */
function glue(args: Arg[], from: number): void {
  const front = args[from - 1]
  const back = args[from]
  if (front === undefined || back === undefined) return
  const shape = front.shape + back.shape
  const process = back.process === '' ? front.process : back.process
  const whole: Arg = { ...front, text: null, shape, kind: kinds.path, process, verbatim: -1 }
  args.splice(from - 1, 2, { ...whole, end: back.end })
}

/** `x=rm eval '$x'`: what stands in front of a command is set while it runs, and no longer. */
function lend(
  walk: Walk,
  lent: readonly [name: string, value: Value][],
): (mayKeep: boolean) => void {
  const { values } = walk.scope
  const before = lent.map(([name]) => values.get(name))
  for (const [name, value] of lent) values.set(name, value)
  return (mayKeep) => {
    lent.forEach(([name, value], index) => {
      const earlier = before[index]
      // What the command itself has set may remain, and `x=rm export x` keeps what it was lent.
      if (mayKeep || values.get(name) !== value) values.set(name, anything)
      else if (earlier === undefined) values.delete(name)
      else values.set(name, earlier)
    })
  }
}

function shiftWrites(walk: Walk, from: number, to: number): void {
  const { writes } = walk.notes
  for (let index = 0; index < writes.length; index++) {
    const write = writes[index]
    if (write?.how === 'redirect' && write.command === from) {
      writes[index] = { ...write, command: to }
    }
  }
}

/** Reads `name=value`, also as an argument of declare and its kin. */
function readAssignment(walk: Walk, node: Assignment, args: Arg[] | null): Declared {
  const at = spanOf(walk, node)
  const { name } = node
  if (node.index !== undefined) noteEvaluatedWord(walk, node.index, at)
  const { value } = node
  let known: Value = anything
  if (value.type === 'ArrayValue') {
    const elements: Arg[] = []
    for (const element of value.elements) {
      const key = /^\[(.*?)\]\+?=/s.exec(element.text)?.[1]
      if (key !== undefined) noteArithmeticText(walk, key, at)
      resolveArgument(walk, element, elements)
    }
  } else {
    if (value.text.startsWith('(')) {
      noteUnknown(walk, 'syntax', at, phrase('sh_text_glued_array_not'))
    }
    const single = resolveSingle(walk, value)
    const before = node.append ? lookUp(walk.scope, name) : null
    known = before === null ? single : appended(before, single)
    if (node.index !== undefined) known = anything
  }
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    noteUnknown(walk, 'syntax', at, phrase('sh_assignment_not_read_reliably'))
  }
  args?.push({
    ...known,
    text: known.text === null ? null : `${name}=${known.text}`,
    shape: `${name}=${known.shape}`,
    start: at.start,
    end: at.end,
    splits: false,
    verbatim: -1,
    process: '',
  })
  return { name, value: known, isList: value.type === 'ArrayValue', at }
}

function appended(before: Value, after: Value): Value {
  if (before.text === null || after.text === null) return anything
  const text = before.text + after.text
  return { text, shape: text, kind: kinds.text }
}

/** Runs words: a function, a builtin, a known program or an unknown one. */
export function runCommand(
  walk: Walk,
  args: readonly Arg[],
  at: Span,
  declared: readonly Declared[] = [],
): void {
  const { notes } = walk
  charge(walk, 1 + args.length)
  const finding: Mutable<CommandFinding> = {
    words: args.map((arg) => arg.text),
    kind: 'other',
    via: walk.via,
    start: at.start,
    end: at.end,
  }
  const inner: Walk = { ...walk, command: notes.commands.length }
  notes.commands.push(finding)
  const before = notedEffects(walk)
  finding.kind = kindOfCommand(inner, args, at, declared)
  for (const arg of args) noteTilde(inner, arg)
  // Whatever is not proven to read is said to be so, whichever way it was read (SH-6).
  if (finding.kind === 'other' && notedEffects(walk) === before) {
    noteUnproven(inner, 'program', at, phrase('sh_unproven', { program: args[0]?.text ?? '' }))
  }
  // Last, since it says nothing about what the program does.
  const name = args[0]?.text ?? ''
  if (!printing.has(name)) noteFiles(inner, name, args.slice(1))
}

/** `~+`, `~-` and `~1` stand for variables that may have been set to an option. */
function noteTilde(walk: Walk, arg: Arg): void {
  if (!/^~[-+0-9]/.test(arg.shape)) return
  noteUnproven(walk, 'computed', arg, phrase('sh_may_become_option', { program: arg.shape }))
}

function notedEffects({ notes }: Walk): number {
  return notes.writes.length + notes.unknowns.length + notes.unproven.length
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

function kindOfCommand(
  walk: Walk,
  args: readonly Arg[],
  at: Span,
  declared: readonly Declared[],
): CommandKind {
  const first = args[0] as Arg // The index is inside the list.
  const name = first.text ?? nameBehindFolder(first)
  if (name === null || first.splits) {
    noteUnknown(walk, 'name', first, phrase('sh_command_name_computed'))
    return 'other'
  }
  if (name.startsWith('-')) {
    // An option in this place means that a wrapper was misread: `time -o f ls` is one under sh.
    noteUnknown(walk, 'name', first, phrase('sh_program_whose_name_begins'))
  }
  const rest = args.slice(1)
  if (walk.via === 'shell' && walk.scope.functions.has(name)) {
    for (const each of walk.notes.setByFunctions) walk.scope.values.set(each, anything)
    return 'function'
  }
  const builtin = walk.via === 'shell' ? findBuiltin(name) : undefined
  if (builtin !== undefined) {
    noteBuiltinOptions(walk, name, rest)
    return builtin(walk, { name, args: rest, declared, at })
  }
  for (const arg of rest) {
    if (/environ|proc|\/dev\//.test(arg.shape) || arg.kind !== kinds.text) {
      noteEnvironmentFile(walk, arg)
    }
    if (arg.shape === '/') noteSearchOfAll(walk, name, arg)
  }
  const base = name.slice(name.lastIndexOf('/') + 1)
  noteGuarded(walk, base, rest, at)
  const program = findProgram(walk.programs, base)
  if (program === undefined) return unknownProgram(walk, base, name, rest, at)
  const kind = readProgram(walk, { program, title: base, args: rest, at })
  if (kind === 'read' && !isStandardFolder(name, base)) return 'other'
  return kind === 'read' && printing.has(name) ? 'steer' : kind
}

const riskyBuiltins = new Set(
  'test [ jobs hash history compgen complete exec mapfile readarray enable bind shopt'.split(' '),
)

/** `jobs -x`, `hash -p`, `printf -v` and `[ -v a[…] ]` run or set something. */
function noteBuiltinOptions(walk: Walk, name: string, args: readonly Arg[]): void {
  const isTest = name === 'test' || name === '['
  const words = name === 'printf' ? args.slice(0, 1) : riskyBuiltins.has(name) ? args : []
  for (const arg of words) {
    const isChosen = arg.kind === kinds.any || arg.kind === kinds.name
    if (!isChosen || !mayBeOption(arg) || (isTest && !arg.splits && !/^[*?[]/.test(arg.shape)))
      continue
    noteUnproven(walk, 'computed', arg, phrase('sh_may_become_option', { program: name }))
  }
}

/** Programs that do what the shell's own steering words of that name do. */
const printing = new Set(['echo', 'printf', 'true', 'false', 'test', '[', 'pwd'])

/** `./cat` is not cat: it passes like any unknown program, but proves nothing (SH-10). */
function isStandardFolder(name: string, base: string): boolean {
  return name === base || /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(name)
}

/** `$HOME/.local/bin/tool` names its program although the folder is computed. */
function nameBehindFolder(first: Arg): string | null {
  if (first.kind < kinds.word || first.kind > kinds.path || first.splits || first.process !== '')
    return null
  const slash = first.shape.lastIndexOf('/')
  const base = first.shape.slice(slash + 1)
  if (slash < 1 || base === '' || /[\0*?[\]{(]/.test(first.shape.slice(1))) return null
  return first.shape[0] === '\0' ? `\0/${base}` : null
}
