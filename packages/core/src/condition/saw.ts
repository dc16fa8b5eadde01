import { cut } from '../base/cut.ts'
import { valueText } from './bounds.ts'
import type { Node } from './cel.ts'
import { parseExpression } from './cel.ts'
import type { Condition, Values } from './condition.ts'
import { pathsIn } from './walk.ts'

/** What a condition was read with, for anyone who is refused by it (FC-15). */
export interface ConditionReading {
  readonly what: string
  /** As text; null where it has no value. */
  readonly value: string | null
}

const maxSeen = 6
const maxLength = 120
const maxCondition = 400

/** A condition as a sentence quotes it: on one line, and no longer than somebody reads. */
export function quotedCondition(text: string): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), maxCondition)
}

/** The values of the paths that an expression names, each once, in the order written. */
export function seenBy(
  { expression, text }: Condition,
  values: Values,
): readonly ConditionReading[] {
  const seen = new Map<string, ConditionReading>()
  for (const { node, bound, path } of pathsIn(expression.ast)) {
    // Inside of a macro a path may depend on its item, which has no one value.
    const isOuter = bound.length === 0 || path.isWhole
    const part = text.slice(node.start, node.end)
    const what = quotedCondition(part)
    if (!isOuter || seen.has(what) || seen.size >= maxSeen) continue
    if (path.names.length === 0 && isLarge(node)) continue
    seen.set(what, { what, value: shown(part, values) })
  }
  return [...seen.values()]
}

/** Whole variables that are maps tell nothing as one value. */
function isLarge(node: Node): boolean {
  return node.op === 'id' && node.args !== 'state' && node.args !== 'tool' && node.args !== 'server'
}

function shown(what: string, values: Values): string | null {
  const parsed = parseExpression(what)
  if (!parsed.ok) return null
  try {
    return shownValue(parsed.value.evaluate(values))
  } catch {
    return null
  }
}

function shownValue(value: unknown): string | null {
  const text = valueText(value)
  return text === undefined ? null : cut(text, maxLength)
}
