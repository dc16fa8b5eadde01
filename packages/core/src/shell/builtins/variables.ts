import { phrase } from '../../base/text/phrase.ts'
import { noteArithmeticText, noteEvaluated } from '../arithmetic.ts'
import { type Arg, noteUnknown, noteUnproven, noteVariable, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { holdsExpansion } from '../leaves.ts'
import { noteName } from '../names.ts'
import { anything, assign, fedValue, kinds, someNumber, type Value } from '../scope.ts'
import { noteAssignment, noteHanded, noteUnset } from '../variables.ts'
import type { Builtin, BuiltinCall } from './builtin.ts'
import { readLetters } from './letters.ts'
import { forgetAll, spanOfCall } from './plain.ts'

/** Builtins that set or show variables. */
export const variableBuiltins: readonly [string, Builtin][] = [
  ['export', declare],
  ['declare', declare],
  ['local', declare],
  ['typeset', declare],
  ['readonly', declare],
  ['read', readLine],
  ['mapfile', readLines],
  ['readarray', readLines],
  ['printf', printText],
  ['unset', unset],
  ['let', evaluate],
  ['test', test],
  ['[', test],
  ['getopts', getOptions],
  ['wait', wait],
]

const free = new Set(['export', 'declare', 'local'])
const makesLocal = new Set(['declare', 'local', 'typeset'])

function declare(walk: Walk, call: BuiltinCall): CommandKind {
  let flags = ''
  const operands: Arg[] = []
  for (const arg of call.args) {
    if (operands.length === 0 && /^[-+]\w/.test(arg.shape)) flags += arg.shape
    else operands.push(arg)
  }
  const kind: CommandKind = free.has(call.name) ? 'steer' : 'other'
  if (flags.includes('f') || flags.includes('F')) {
    if (operands.length > 0 && call.name === 'export') return 'other'
    return 'read'
  }
  if (operands.length === 0) {
    if (call.name !== 'local')
      noteVariable(walk, null, call.at, phrase('sh_prints_variables', { name: call.name }))
    return kind
  }
  if (flags.includes('p')) {
    for (const arg of operands) noteVariable(walk, arg.text, arg)
    return kind
  }
  for (const operand of operands) {
    declareOne(walk, call, operand, flags)
    const isHanded = (call.name === 'export' && !flags.includes('n')) || flags.includes('x')
    if (isHanded) noteHanded(walk, operand.shape.replace(/\+?=.*$/s, ''), operand)
  }
  return kind
}

function declareOne(walk: Walk, call: BuiltinCall, operand: Arg, flags: string): void {
  const equals = operand.shape.indexOf('=')
  const left = (equals === -1 ? operand.shape : operand.shape.slice(0, equals)).replace(/\+$/, '')
  if (left.includes('\0') || left.includes('*')) {
    const message = phrase('sh_sets_variables_whose_names')
    walk.notes.takeovers.push({ how: 'variable', name: '', ...spanOfCall(call), message })
    noteUnproven(walk, 'code', operand, message)
    forgetAll(walk)
    return
  }
  const bracket = left.indexOf('[')
  const name = bracket === -1 ? left : left.slice(0, bracket)
  if (bracket !== -1) noteSubscript(walk, left.slice(bracket), operand)
  const declared = call.declared.find((each) => each.at.start === operand.start)
  const value: Value = declared?.value ?? valueBehind(operand, equals)
  if (declared?.isList !== true && equals !== -1) noteCompound(walk, value, operand, flags)
  // `export -n` takes a variable out of the environment; elsewhere -n makes a reference.
  if (flags.includes('n') && call.name !== 'export') {
    noteReference(walk, value, operand, equals !== -1)
    // From here on two names set one variable, and a value that is known may be another's.
    noteUnknown(walk, 'code', operand, phrase('sh_name_stands_another_variable'))
    assign(walk.scope, name, anything)
    return
  }
  if (/[ulc]/.test(flags)) noteUnknown(walk, 'code', operand, phrase('sh_case_value_changes'))
  if (flags.includes('i')) {
    walk.notes.integers.add(name)
    noteEvaluated(walk, value.text, operand, name)
  }
  const wasFixed = walk.notes.fixed.has(name)
  if (call.name === 'readonly' || flags.includes('r')) walk.notes.fixed.add(name)
  if (equals === -1) {
    if (flags.includes('i')) assign(walk.scope, name, anything)
    // In a function it makes an empty one of that name.
    if (walk.scope.isFunction && makesLocal.has(call.name)) noteUnset(walk, name, operand)
    return
  }
  noteAssignment(walk, name, value, operand)
  // Outside a function `local` fails and the variable stays what it was.
  const isDoubtful = wasFixed || (call.name === 'local' && !walk.scope.isFunction)
  const isOther = flags.includes('i') || bracket !== -1 || isDoubtful
  assign(walk.scope, name, isOther ? anything : value)
}

/** A text in brackets that is given to an array is read again as a list, expansions and all. */
function noteCompound(walk: Walk, { text, shape }: Value, at: Arg, flags: string): void {
  const isList = text !== null && /^\s*\(/.test(text)
  if (isList && holdsExpansion(text)) {
    noteUnknown(walk, 'code', at, phrase('sh_list_evaluated'))
  } else if (text === null && (/[aA]/.test(flags) || /^\s*\(/.test(shape))) {
    noteUnproven(walk, 'code', at, phrase('sh_list_evaluated'))
  }
}

function valueBehind(operand: Arg, equals: number): Value {
  if (equals === -1) return anything
  const shape = operand.shape.slice(equals + 1)
  const text = operand.text === null ? null : shape
  return { text, shape, kind: operand.kind }
}

function noteSubscript(walk: Walk, subscript: string, at: Arg): void {
  if (/[$`]/.test(subscript)) noteUnknown(walk, 'code', at, phrase('sh_subscript_evaluated'))
  else noteArithmeticText(walk, subscript, at)
}

/** A nameref reads whatever it points to. */
function noteReference(walk: Walk, target: Value, at: Arg, hasTarget: boolean): void {
  if (!hasTarget || target.text === null) {
    noteVariable(walk, null, at, phrase('sh_refers_variable_not_known'))
    return
  }
  const bracket = target.text.indexOf('[')
  if (bracket !== -1) noteSubscript(walk, target.text.slice(bracket), at)
  const name = bracket === -1 ? target.text : target.text.slice(0, bracket)
  noteVariable(walk, name, at)
  // Setting the reference sets what it points to.
  noteAssignment(walk, name, anything, at)
}

function readLine(walk: Walk, call: BuiltinCall): CommandKind {
  const { used, operands, unclear } = readLetters(call.args, 'ersE', 'aditnNpu')
  noteOdd(walk, call, unclear)
  const value = fedValue(walk.stdin)
  for (const { letter, value: name } of used) {
    if (letter === 'a' && name !== null) setNamed(walk, name, value)
  }
  for (const name of operands) setNamed(walk, name, value)
  assign(walk.scope, 'REPLY', value)
  return 'steer'
}

/** What cannot be read as an option may be one that sets or runs something. */
function noteOdd(walk: Walk, { name }: BuiltinCall, odd: Arg | undefined): void {
  if (odd === undefined) return
  noteUnproven(walk, 'option', odd, phrase('sh_unknown_option', { program: name }))
  forgetAll(walk)
}

function setNamed(walk: Walk, name: Arg, value: Value): void {
  noteName(walk, name)
  if (name.text === null) {
    forgetAll(walk)
    return
  }
  const bare = name.text.replace(/\[.*/s, '')
  noteAssignment(walk, bare, anything, name)
  assign(walk.scope, bare, value)
}

function readLines(walk: Walk, call: BuiltinCall): CommandKind {
  const { used, operands, unclear } = readLetters(call.args, 't', 'dnOsuCc')
  noteOdd(walk, call, unclear)
  for (const { letter, value: code, at } of used) {
    if (letter !== 'C') continue
    const message = phrase('sh_c_runs_code', { name: call.name })
    if (code?.text == null) {
      noteUnknown(walk, 'code', at, message)
      continue
    }
    walk.runText(walk, code.text, code, code.verbatim)
    // Each line is put behind it, as words of its own.
    noteUnproven(walk, 'code', at, message)
  }
  for (const name of operands) setNamed(walk, name, anything)
  assign(walk.scope, 'MAPFILE', anything)
  return 'read'
}

/** `%n` writes into the variable that its argument names. */
const assigns = /%[^%a-zA-Z]*(?:\([^)]*\)[^%a-zA-Z]*)?[hlLjzt]*n/

function printText(walk: Walk, call: BuiltinCall): CommandKind {
  const [first] = call.args
  if (first?.shape.startsWith('\0') && first.kind === kinds.any && first.splits) {
    noteUnknown(walk, 'option', first, phrase('sh_may_become_option_printf'))
  }
  const { used, operands } = readLetters(call.args, '', 'v')
  for (const { letter, value: name } of used) {
    if (letter === 'v' && name !== null) setNamed(walk, name, anything)
  }
  const [format, ...values] = operands
  if (format === undefined || values.length === 0) return 'steer'
  if (format.text === null && format.kind === kinds.any) {
    noteUnproven(walk, 'computed', format, phrase('sh_printf_format_computed'))
  }
  if (assigns.test(format.shape)) for (const name of values) setNamed(walk, name, anything)
  return 'steer'
}

function unset(walk: Walk, call: BuiltinCall): CommandKind {
  for (const arg of call.args) {
    if (/^-[fvn]+$/.test(arg.shape)) continue
    noteName(walk, arg)
    if (arg.text === null) forgetAll(walk)
    else {
      noteUnset(walk, arg.text.replace(/\[.*/s, ''), arg)
      assign(walk.scope, arg.text, anything)
    }
  }
  return 'steer'
}

function evaluate(walk: Walk, call: BuiltinCall): CommandKind {
  for (const arg of call.args) {
    if (arg.text === null) {
      if (arg.kind > kinds.number) walk.notes.evaluatesText ??= arg
    } else if (/[$`]/.test(arg.text)) {
      noteUnknown(walk, 'code', arg, phrase('sh_let_runs_substitution_text'))
    } else {
      noteArithmeticText(walk, arg.text, arg)
    }
    const set = /^([A-Za-z_]\w*)/.exec(arg.shape)?.[1]
    if (set === undefined) continue
    noteAssignment(walk, set, someNumber, arg)
    assign(walk.scope, set, someNumber)
  }
  return 'read'
}

/** `test -v` evaluates the subscript of a name, quoted or not. */
function test(walk: Walk, call: BuiltinCall): CommandKind {
  call.args.forEach((arg, index) => {
    const next = call.args[index + 1]
    if ((arg.text === '-v' || arg.text === '-R') && next !== undefined) noteName(walk, next)
  })
  const odd = oddTest(call.args.filter(({ text }) => text !== ']'))
  if (odd !== undefined) noteUnproven(walk, 'code', odd, phrase('sh_test_computed'))
  return 'steer'
}

/**
 * An argument of `test` that may turn out to be an operator: `-v` evaluates what stands behind it.
 * Where every operator stands in the text, what is computed is only compared.
 */
function oddTest(args: readonly Arg[]): Arg | undefined {
  const split = args.find((arg) => arg.text === null && arg.splits && arg.kind >= kinds.path)
  if (split !== undefined) return split
  let part: Arg[] = []
  for (const arg of [...args, undefined]) {
    if (arg !== undefined && arg.text !== '-a' && arg.text !== '-o') {
      if (arg.text !== '!' && arg.text !== '(' && arg.text !== ')') part.push(arg)
      continue
    }
    const [first, second] = part
    const isBinary = part.length === 3 && second?.text !== null
    const isUnary = part.length === 2 && first?.text !== null
    if (part.length > 1 && !isBinary && !isUnary) {
      const computed = part.find(({ text, kind }) => text === null && kind > kinds.number)
      if (computed !== undefined) return computed
    }
    part = []
  }
  return undefined
}

function getOptions(walk: Walk, call: BuiltinCall): CommandKind {
  const [, name] = readLetters(call.args, '', '').operands
  if (name !== undefined) setNamed(walk, name, anything)
  for (const own of ['OPTARG', 'OPTIND']) assign(walk.scope, own, anything)
  return 'read'
}

function wait(walk: Walk, call: BuiltinCall): CommandKind {
  const { used, unclear } = readLetters(call.args, 'nf', 'p')
  noteOdd(walk, call, unclear)
  for (const { value: name } of used) {
    // Where nothing has ended it is unset.
    if (name !== null) setNamed(walk, name, anything)
  }
  return 'steer'
}
