import { err, ok, type Result } from '../base/result.ts'
import {
  type Expression,
  type ExpressionFault,
  parseExpression,
  rewrittenExpression,
} from './cel.ts'
import { resetWork } from './functions.ts'
import { careful, metered } from './metered.ts'
import { profileFaults } from './profile.ts'
import { sealedValues } from './sealed.ts'
import type { Scope } from './variables.ts'
import { pathsIn } from './walk.ts'

/** An expression of a definition, compiled once. */
export interface Condition {
  readonly text: string
  /** Its place in the definition. */
  readonly path: string
  readonly expression: Expression
  readonly reads: ConditionReads
}

/** What an expression needs to be told. */
export interface ConditionReads {
  /** Names of arguments; null where it reads all of them or computes which. */
  readonly args: readonly string[] | null
  readonly facts: readonly string[]
  readonly marks: readonly string[]
  readonly variables: ReadonlySet<string>
}

/** Values by the name of the variable. */
export type Values = Readonly<Record<string, unknown>> & { readonly [sealedValues]?: true }

export type Holds = true | false | 'unknown'

/** Why a text cannot stand where it stands; undefined where it can. */
export function conditionFault(text: string, scope: Scope): ExpressionFault | undefined {
  const read = readCondition(text, scope)
  return read.ok ? undefined : read.error
}

/** The expression with its costs counted, or why it cannot stand where it stands. */
function readCondition(text: string, scope: Scope): Result<Expression, ExpressionFault> {
  const parsed = parseExpression(text)
  if (!parsed.ok) return parsed
  const { ast, misfit } = parsed.value
  const fault = profileFaults(ast, scope)[0] ?? misfit
  if (fault !== undefined) return err(fault)
  const counted = withMeter(text, parsed.value)
  if (counted !== undefined) return ok({ ...counted, evaluate: withCare(text, counted) })
  return err({ message: 'an expression inside a macro is too long', start: 0, end: text.length })
}

/**
 * Compiles an expression that was checked. One that cannot be read has no value: it counts against
 * whatever it was written for, as everything that is not known does.
 */
export function compileCondition(text: string, path: string, scope: Scope): Condition {
  const read = readCondition(text, scope)
  const expression = read.ok ? read.value : broken
  return { text, path, expression, reads: readsOf(expression) }
}

function withMeter(text: string, expression: Expression): Expression | undefined {
  const counted = metered(text, expression.ast)
  if (counted === text) return expression
  const evaluate = rewrittenExpression(counted, false)
  return evaluate === undefined ? undefined : { ...expression, evaluate }
}

/**
 * Reads values of which some are sealed in another way (FC-7). That is written when it is first
 * needed: nearly no call has anything sealed.
 */
function withCare(text: string, { ast, evaluate }: Expression): Expression['evaluate'] {
  let made: Expression['evaluate'] | undefined
  return (values: Values) => {
    if (values[sealedValues] !== true) return evaluate(values)
    made ??= rewrittenExpression(careful(text, ast), true) ?? broken.evaluate
    return made(values)
  }
}

const broken: Expression = {
  ast: unreadableNode(),
  type: 'dyn',
  evaluate: () => {
    throw new Error('the expression cannot be read')
  },
}

function unreadableNode(): Expression['ast'] {
  const parsed = parseExpression('false')
  if (!parsed.ok) throw new Error('bug: false is an expression')
  return parsed.value.ast
}

/** The value of an expression, or undefined where it has none. Never throws. */
export function expressionValue(condition: Condition, values: Values): unknown {
  resetWork()
  try {
    return condition.expression.evaluate(values)
  } catch {
    return undefined
  }
}

/** Whether a condition holds; what is not known is neither true nor false (FC-6). */
export function holds(condition: Condition, values: Values): Holds {
  const value = expressionValue(condition, values)
  return typeof value === 'boolean' ? value : 'unknown'
}

/** Whether it can only be read once the call has ended (FC-10). */
export function readsResult({ reads }: Condition): boolean {
  return reads.variables.has('result') || reads.variables.has('exit')
}

export function triggerScope(text: string): Scope {
  const parsed = parseExpression(text)
  const reads = parsed.ok ? readsOf(parsed.value).variables : new Set<string>()
  return reads.has('result') || reads.has('exit') ? 'result' : 'call'
}

function readsOf({ ast }: Expression): ConditionReads {
  const args = new Set<string>()
  const facts = new Set<string>()
  const marks = new Set<string>()
  const variables = new Set<string>()
  let readsAll = false
  for (const { path } of pathsIn(ast)) {
    variables.add(path.root)
    const [name] = path.names
    if (path.root === 'args' && name === undefined) readsAll = true
    if (name === undefined) continue
    if (path.root === 'args') args.add(name)
    if (path.root === 'facts') facts.add(name)
    if (path.root === 'marks') marks.add(name)
  }
  return {
    args: readsAll ? null : [...args],
    facts: [...facts],
    marks: [...marks],
    variables,
  }
}
