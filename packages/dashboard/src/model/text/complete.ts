import { isJsonObject, own, toolAliases } from '@statewright/core/internal'
import { getLocation, type JSONPath } from 'jsonc-parser'
import { conditionOffersAt } from './complete-condition.ts'
import { fieldOf, isJsonText } from './edit-text.ts'
import type { Offer, Offers } from './offers.ts'
import { type Cursor, yamlCursor } from './yaml-cursor.ts'
import { valueSoFar } from './yaml-edit.ts'

/** What can be written at an offset, by the published schema and the names the text itself has. */
export function offersAt(schema: unknown, text: string, offset: number): Offers | null {
  const inCondition = conditionOffersAt(text, offset)
  if (inCondition !== undefined) return inCondition
  const isJson = isJsonText(text)
  const cursor = isJson ? jsonCursor(text, offset) : yamlCursor(text, offset)
  const schemas = schemasAt(schema, cursor.path)
  const offers = cursor.isName
    ? names(schemas, isJson, siblings(text, cursor.path))
    : values(schemas, isJson, text, cursor.path)
  return offers.length === 0 ? null : { from: cursor.from, offers, within: /^"?[\w$.-]*$/ }
}

function jsonCursor(text: string, offset: number): Cursor {
  const { path, isAtPropertyKey } = getLocation(text, offset)
  const before = text.slice(0, offset)
  const word = /"?[\w$.-]*$/.exec(before)?.[0] ?? ''
  const trimmed: JSONPath = isAtPropertyKey ? path.slice(0, -1) : path
  return { path: trimmed, isName: isAtPropertyKey, from: offset - word.length }
}

/** The schemas that may describe a place; a transition has several shapes. */
function schemasAt(schema: unknown, path: readonly (string | number)[]): readonly unknown[] {
  let found = unfolded(schema)
  for (const name of path) {
    found = found.flatMap((one) => {
      if (!isJsonObject(one)) return []
      if (typeof name === 'number') return unfolded(one.items)
      const members = one.properties
      const member = isJsonObject(members) ? own(members, name) : undefined
      return unfolded(member ?? one.additionalProperties)
    })
  }
  return found
}

function unfolded(schema: unknown): readonly unknown[] {
  if (!isJsonObject(schema)) return []
  const choices = schema.anyOf ?? schema.oneOf
  return Array.isArray(choices) ? choices.flatMap(unfolded) : [schema]
}

function names(
  schemas: readonly unknown[],
  isJson: boolean,
  taken: ReadonlySet<string>,
): readonly Offer[] {
  const offers = new Map<string, Offer>()
  for (const schema of schemas) {
    const members = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
    for (const [label, member] of Object.entries(members)) {
      if (taken.has(label) || offers.has(label)) continue
      const insert = isJson ? `"${label}": ` : `${label}: `
      offers.set(label, { label, detail: description(member), insert })
    }
  }
  return [...offers.values()]
}

function values(
  schemas: readonly unknown[],
  isJson: boolean,
  text: string,
  path: readonly (string | number)[],
): readonly Offer[] {
  const offers = schemas.flatMap((schema): Offer[] => {
    if (!isJsonObject(schema)) return []
    const listed = Array.isArray(schema.enum)
      ? schema.enum
      : 'const' in schema
        ? [schema.const]
        : []
    const plain = schema.type === 'boolean' ? [true, false] : listed
    return plain.map((value) => offer(String(value), description(schema), isJson, value))
  })
  const known = namesFor(text, path).map((name) =>
    offer(name.label, name.detail, isJson, name.label),
  )
  return [...offers, ...known]
}

function offer(label: string, detail: string, isJson: boolean, value: unknown): Offer {
  const insert = isJson ? JSON.stringify(value) : yamlWord(label)
  return { label, detail, insert }
}

function yamlWord(label: string): string {
  return /^[\w$./-]+$/.test(label) ? label : JSON.stringify(label)
}

/** Names that the definition itself gives, and tools that everybody has. */
function namesFor(
  text: string,
  path: readonly (string | number)[],
): readonly { readonly label: string; readonly detail: string }[] {
  const last = path.at(-1)
  const field = typeof last === 'number' ? path.at(-2) : last
  const parent = typeof last === 'number' ? path.at(-3) : path.at(-2)
  if (field === 'allowed_tools' || field === 'tool') {
    const tools = Object.keys(toolAliases).sort()
    return tools.map((label) => ({ label, detail: 'tool' }))
  }
  const definition = valueSoFar(text)
  const isTarget =
    parent === 'on' || ['target', 'initial', 'safe_next', 'next'].includes(String(field))
  const listed = (name: string, detail: string) =>
    Object.keys(Object(fieldOf(definition, [name]))).map((label) => ({ label, detail }))
  if (isTarget || ['on_complete', 'on_fail', 'terminal'].includes(String(field))) {
    return listed('states', 'state')
  }
  if (field === 'guard' || field === 'guards') return listed('guards', 'guard')
  return field === 'evidence' ? listed('evidence', 'evidence') : []
}

function siblings(text: string, path: readonly (string | number)[]): ReadonlySet<string> {
  return new Set(Object.keys(Object(fieldOf(valueSoFar(text), path.map(String)))))
}

function description(schema: unknown): string {
  const text = isJsonObject(schema) ? schema.description : undefined
  return typeof text === 'string' ? text : ''
}
