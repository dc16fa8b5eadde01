import {
  conditionFunctions,
  languageFunctions,
  macroFunctions,
  type Scope,
  type Variable,
  variables,
} from '@statewright/core/internal'
import { textCursor } from './condition-cursor.ts'
import { fieldOf } from './edit-text.ts'
import type { Offer, Offers } from './offers.ts'
import { valueSoFar } from './yaml-edit.ts'
import { lineEnd, lineStart } from './yaml-spans.ts'

type Path = readonly (string | number)[]

/**
 * What can be written at an offset that stands in a condition; null inside of its texts and where
 * an operator comes next, undefined where there is no condition.
 */
export function conditionOffersAt(text: string, offset: number): Offers | null | undefined {
  const cursor = textCursor(text, offset)
  if (cursor === null) return undefined
  const scopes = scopesOf(cursor.path)
  if (scopes === undefined) return undefined
  const expression = withoutTexts(cursor.before)
  if (expression === null) return null
  const [, owner, word = ''] = /(?:([\w.\])]+)\.)?(\w*)$/.exec(expression) ?? []
  const offers =
    owner === undefined
      ? freeOffers(expression.slice(0, expression.length - word.length), cursor.path, scopes)
      : memberOffers(owner, definitionAround(text, offset), scopes)
  return offers.length === 0 ? null : { from: offset - word.length, offers, within: /^\w*$/ }
}

/** Scopes in which a field of a workflow is read; undefined where it is no condition. */
function scopesOf(path: Path): readonly Scope[] | undefined {
  const joined = path.map((name) => (typeof name === 'number' ? '#' : name)).join('/')
  const known = scopesByPath.find(([pattern]) => pattern.test(joined))
  return known?.[1]
}

const scopesByPath: readonly (readonly [RegExp, readonly Scope[]])[] = [
  [/^facts\/[^/]+\/(?:when|each|key|value)$/, ['result']],
  [/^(?:policy\/)?marks\/[^/]+\/when$/, ['call']],
  [/^(?:states\/[^/]+\/)?calls\/.+\/#\/require$/, ['call']],
  [/^guards\/[^/]+\/when$/, ['guard']],
  // Read before the call or after it, by what it reads.
  [/^interrupts\/[^/]+\/trigger\/when$/, ['call', 'result']],
  [/^policy\/(?:deny|ask|allow)\/#\/when$/, ['call']],
]

/** Texts of an expression say nothing about what may follow; null inside of one. */
function withoutTexts(expression: string): string | null {
  const rest = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""')
  return /["']/.test(rest.replaceAll('""', '')) ? null : rest
}

function freeOffers(before: string, path: Path, scopes: readonly Scope[]): readonly Offer[] {
  // Behind a value comes an operator.
  if (/[\w")\]]\s*$/.test(before) && !/\bin\s+$/.test(before)) return []
  const isItem = path[0] === 'facts' && path.at(-1) !== 'each'
  const named = Object.entries(variables)
    .filter(([name, { scopes: own }]: [string, Variable]) => {
      return own.some((scope) => scopes.includes(scope)) && (name !== 'item' || isItem)
    })
    .map(([label, { says }]) => ({ label, detail: says, insert: label }))
  return [...named, ...functions.filter(({ isMember }) => !isMember).map(({ offer }) => offer)]
}

function memberOffers(
  owner: string,
  definition: unknown,
  scopes: readonly Scope[],
): readonly Offer[] {
  if (owner === 'facts') {
    const isKnown = scopes.some((scope) => has(variables.facts.scopes, scope))
    return isKnown ? namesIn(definition, [['facts']], 'fact') : []
  }
  if (owner === 'marks') return namesIn(definition, [['marks'], ['policy', 'marks']], 'mark')
  // Nobody told which arguments and fields there are.
  if (Object.hasOwn(variables, owner) && has(['map'], variables[owner as Name].type)) return []
  return functions.filter(({ isMember }) => isMember).map(({ offer }) => offer)
}

type Name = keyof typeof variables

function has(items: readonly string[], item: string): boolean {
  return items.includes(item)
}

function namesIn(
  definition: unknown,
  fields: readonly (readonly string[])[],
  detail: string,
): readonly Offer[] {
  const names = fields.flatMap((field) => Object.keys(Object(fieldOf(definition, field))))
  return [...new Set(names)].map((label) => ({ label, detail, insert: label }))
}

/** The rest of the definition: the line that is being written often cannot be read. */
function definitionAround(text: string, offset: number): unknown {
  return valueSoFar(text.slice(0, lineStart(text, offset)) + text.slice(lineEnd(text, offset)))
}

const functions = Object.entries({
  ...conditionFunctions,
  ...languageFunctions,
  ...macroFunctions,
}).map(([label, { signature, says }]) => ({
  isMember: /^\w+\./.test(signature),
  offer: { label, detail: says, insert: signature.includes('()') ? `${label}()` : `${label}(` },
}))
