import type { ArithmeticExpression, Word, WordPart } from 'unbash'
import { phrase } from '../base/text/phrase.ts'
import { charge, newBuilder, noteUnknown, noteVariable, type Walk } from './context.ts'
import type { Span } from './findings.ts'
import { holdsExpansion } from './leaves.ts'
import { anything, assign, kinds, lookUp, positionalValue, someNumber } from './scope.ts'
import { noteAssignment } from './variables.ts'

/** Walks an arithmetic expression: names in it are read, and substitutions in it run. */
export function walkArithmetic(
  walk: Walk,
  expression: ArithmeticExpression | undefined,
  at: Span,
): void {
  if (expression === undefined) return
  charge(walk, 1)
  switch (expression.type) {
    case 'ArithmeticBinary':
      // What a name held is not looked at when it is only set.
      if (!isSetting(expression)) walkArithmetic(walk, expression.left, at)
      walkArithmetic(walk, expression.right, at)
      if (assigning.test(expression.operator)) forgetTarget(walk, expression.left, at)
      return
    case 'ArithmeticUnary':
      walkArithmetic(walk, expression.operand, at)
      if (/\+\+|--/.test(expression.operator)) forgetTarget(walk, expression.operand, at)
      return
    case 'ArithmeticTernary':
      walkArithmetic(walk, expression.test, at)
      walkArithmetic(walk, expression.consequent, at)
      walkArithmetic(walk, expression.alternate, at)
      return
    case 'ArithmeticGroup':
      walkArithmetic({ ...walk, depth: walk.depth + 1 }, expression.expression, at)
      return
    case 'ArithmeticWord': {
      const { parts, value } = expression
      if (parts === undefined) {
        noteArithmeticText(walk, value, at)
        notePositional(walk, value, at)
        return
      }
      for (const part of parts) refuseQuotes(walk, part, at)
      noteArithmeticText(walk, withoutExpansions(parts), at)
      const builder = newBuilder()
      walk.addParts(walk, parts, builder, true)
      // What an expansion leaves is evaluated in turn.
      if (builder.isKnown ? holdsExpansion(builder.shape) : builder.kind > kinds.number) {
        if (builder.isKnown) noteUnknown(walk, 'code', at, phrase('sh_arithmetic_runs_text_value'))
        else walk.notes.evaluatesText ??= at
      }
      return
    }
    case 'ArithmeticCommandExpansion':
      if (expression.script === undefined) {
        noteUnknown(walk, 'syntax', at, phrase('sh_substitution_cannot_read'))
      } else {
        walk.runScript({ ...walk, depth: walk.depth + 1 }, expression.script)
      }
      // What it prints is evaluated in turn.
      walk.notes.evaluatesText ??= at
      return
    default:
      expression satisfies never
      noteUnknown(walk, 'syntax', at, phrase('sh_arithmetic_cannot_read'))
  }
}

function isSetting({ operator, left }: { operator: string; left: ArithmeticExpression }): boolean {
  return operator === '=' && left.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(left.value)
}

const assigning = /^(?:[-+*/%&|^]|<<|>>)?=$/

/** `((x=1))` sets x: what it held before must not name the next program. */
function forgetTarget(walk: Walk, target: ArithmeticExpression, at: Span): void {
  const { values } = walk.scope
  const name =
    target.type === 'ArithmeticWord' ? /^[A-Za-z_]\w*/.exec(target.value)?.[0] : undefined
  if (name !== undefined) {
    noteAssignment(walk, name, someNumber, at)
    assign(walk.scope, name, someNumber)
  } else for (const each of values.keys()) values.set(each, anything)
}

/** Inside arithmetic every kind of quote lets expansions through (SH-1). */
function refuseQuotes(walk: Walk, part: WordPart, at: Span): void {
  const isQuote =
    part.type === 'SingleQuoted' || part.type === 'DoubleQuoted' || part.type === 'AnsiCQuoted'
  if (isQuote && holdsExpansion(part.text.slice(part.type === 'AnsiCQuoted' ? 1 : 0))) {
    noteUnknown(walk, 'syntax', at, phrase('sh_quotes_in_arithmetic'))
  }
}

/** The parser keeps plain `$1` and `$x` as text here; what they hold is evaluated. */
function notePositional(walk: Walk, text: string, at: Span): void {
  if (/\$[({[]|`/.test(text)) {
    noteUnknown(walk, 'syntax', at, phrase('sh_part_not_read_way'))
  }
  for (const match of text.matchAll(/\$([0-9@*])/g)) {
    const value = positionalValue(walk.scope, match[1] ?? '')
    if (value.text !== null && holdsExpansion(value.text)) {
      noteUnknown(walk, 'code', at, phrase('sh_arithmetic_runs_text_argument'))
    } else if (value.kind > kinds.number) walk.notes.evaluatesText ??= at
  }
}

function withoutExpansions(parts: readonly WordPart[]): string {
  let text = ''
  for (const part of parts) {
    text += part.type === 'Literal' || part.type === 'SingleQuoted' ? part.value : ' '
  }
  return text
}

const names = /[A-Za-z_]\w*/g

/**
 * Names in arithmetic are variables, and their content is evaluated in turn: text such as
 * `a[$(rm f)]` in a variable runs. So known content with a substitution is refused.
 */
export function noteArithmeticText(walk: Walk, text: string, at: Span): void {
  if (!/[A-Za-z_$`]/.test(text)) return
  for (const match of text.matchAll(names)) {
    const before = text[match.index - 1]
    if (before !== undefined && /[0-9#@]/.test(before)) continue
    noteVariable(walk, match[0], at)
    noteEvaluated(walk, lookUp(walk.scope, match[0]).text, at, match[0])
  }
  if (!/[^=!<>]=(?!=)|\+\+|--/.test(text)) return
  for (const match of text.matchAll(names)) assign(walk.scope, match[0], someNumber)
}

/** Subscripts, offsets and lengths are arithmetic, and so is what an expansion leaves there. */
export function noteEvaluatedWord(walk: Walk, word: Word, at: Span): void {
  const { text, kind } = walk.resolveSingle(walk, word)
  noteArithmeticText(walk, word.text, at)
  if (text === null) {
    if (kind > kinds.number) walk.notes.evaluatesText ??= at
  } else if (holdsExpansion(text)) {
    noteUnknown(walk, 'code', at, phrase('sh_subscript_evaluated'))
  }
}

/** A value that is evaluated as arithmetic. */
export function noteEvaluated(walk: Walk, text: string | null, at: Span, name: string): void {
  if (text === null) {
    if (lookUp(walk.scope, name).kind > kinds.number) walk.notes.evaluatesText ??= at
    return
  }
  if (holdsExpansion(text)) {
    noteUnknown(walk, 'code', at, phrase('sh_arithmetic_runs_substitution_value'))
  } else if (text !== name && /[A-Za-z_]/.test(text)) {
    // A value that names a variable is evaluated in turn, however long the chain is.
    charge(walk, 1)
    noteArithmeticText(walk, text, at)
  }
}
