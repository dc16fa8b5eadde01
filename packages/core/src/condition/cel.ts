import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { limits } from '../base/limits.ts'
import { err, ok, type Result } from '../base/result.ts'
import { carefulFunctions, isIn, keyOf, orderOf, type PlainOperators } from './careful.ts'
import { conditionFunctions, meterFunctions } from './functions.ts'
import { Sealed } from './sealed.ts'
import { variables } from './variables.ts'

/** A node of a parsed expression, with its place in the text. */
export type Node = ASTNode

/** An expression that was parsed and may be read again and again. */
export interface Expression {
  readonly ast: Node
  /** The type that it has whatever the values are, where that can be told; else `dyn`. */
  readonly type: string
  /** Types that can never fit, as in `1 == "a"`. */
  readonly misfit?: ExpressionFault
  /** Throws where the expression has no value: a key that is missing, a type that does not fit. */
  readonly evaluate: (values: Readonly<Record<string, unknown>>) => unknown
}

/** Why a text is no expression, and where. */
export interface ExpressionFault {
  readonly message: string
  readonly start: number
  readonly end: number
}

/**
 * The only file that knows the library of the Common Expression Language (FC-12). JSON numbers are
 * doubles there, so that arithmetic between them and whole numbers is declared here.
 */
function makeEnvironment(kind: 'plain' | 'metered' | 'careful'): Environment {
  const isMetered = kind !== 'plain'
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: false,
    limits: {
      // What counts the costs is written into an expression that was within these bounds.
      maxAstNodes: isMetered ? 20_000 : 2000,
      maxDepth: isMetered ? 400 : 40,
      maxListElements: 1000,
      maxMapEntries: 1000,
      maxCallArguments: 8,
    },
  })
  // A sealed value may be read and shown; nothing that the language does takes one.
  environment.registerType('Sealed', { ctor: Sealed, fields: {} })
  for (const [name, { type }] of Object.entries(variables)) {
    environment.registerVariable(name, kind === 'careful' && type === 'string' ? 'dyn' : type)
  }
  for (const { signature, run } of Object.values(conditionFunctions)) {
    environment.registerFunction(signature, run)
  }
  for (const [left, right] of [
    ['double', 'int'],
    ['int', 'double'],
  ] as const) {
    environment.registerOperator(`${left} + ${right}`, (one, other) => Number(one) + Number(other))
    environment.registerOperator(`${left} - ${right}`, (one, other) => Number(one) - Number(other))
    environment.registerOperator(`${left} * ${right}`, (one, other) => Number(one) * Number(other))
    environment.registerOperator(`${left} / ${right}`, (one, other) => Number(one) / Number(other))
  }
  environment.registerOperator('double == int', (one, other) => one === Number(other))
  if (isMetered) {
    for (const { signature, run } of meterFunctions) environment.registerFunction(signature, run)
    environment.registerFunction('key_(dyn): dyn', keyOf)
    environment.registerFunction('order_(dyn): dyn', orderOf)
  }
  if (kind === 'metered') {
    environment.registerFunction('in_(dyn, dyn): bool', (a: unknown, b: unknown) =>
      isIn(a, b, plainOperators),
    )
  }
  if (kind === 'careful') {
    for (const { signature, run } of carefulFunctions(plainOperators)) {
      environment.registerFunction(signature, run)
    }
  }
  return environment
}

const operators = new Environment({ unlistedVariablesAreDyn: true })
const plainOperators: PlainOperators = {
  equals: operators.parse('a == b'),
  has: operators.parse('a in b'),
  at: operators.parse('a[b]'),
}

const environment = makeEnvironment('plain')
const meteredEnvironment = makeEnvironment('metered')
const carefulEnvironment = makeEnvironment('careful')

export function parseExpression(text: string): Result<Expression, ExpressionFault> {
  if (text.length > limits.conditionLength) {
    const message = `it is longer than ${limits.conditionLength} characters`
    return err({ message, start: limits.conditionLength, end: text.length })
  }
  try {
    const parsed = environment.parse(text)
    const checked = parsed.check()
    const misfit = checked.valid ? {} : { misfit: faultOf(checked.error, text) }
    return ok({ ast: parsed.ast, type: checked.type ?? 'dyn', ...misfit, evaluate: parsed })
  } catch (fault) {
    return err(faultOf(fault, text))
  }
}

/**
 * Reads an expression that was written again, with its costs counted or with care for what is
 * sealed; undefined where that is too deep.
 */
export function rewrittenExpression(
  text: string,
  isCareful: boolean,
): Expression['evaluate'] | undefined {
  try {
    return (isCareful ? carefulEnvironment : meteredEnvironment).parse(text)
  } catch {
    return undefined
  }
}

/** The library's first line says it; the others draw the place, which findings show. */
function faultOf(fault: unknown, text: string): ExpressionFault {
  const summary = fault instanceof Error ? (fault.message.split('\n')[0] ?? '') : ''
  const range = rangeOf(fault)
  return {
    message: summary.charAt(0).toLowerCase() + summary.slice(1),
    start: range?.start ?? 0,
    end: range?.end ?? text.length,
  }
}

function rangeOf(fault: unknown): { start: number; end: number } | undefined {
  if (typeof fault !== 'object' || fault === null || !('range' in fault)) return undefined
  const { range } = fault
  if (typeof range !== 'object' || range === null) return undefined
  const { start, end } = range as { start?: unknown; end?: unknown } // looked at below
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined
}
