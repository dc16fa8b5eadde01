import { isJsonObject, type Json, type JsonObject } from '@statewright/core/internal'

export interface FieldRow {
  /** With dots; `<name>` stands for a name of the author's own, `[]` for each of a list. */
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

/** Every field of a JSON Schema, with those of its lists, maps and alternatives. */
export function fieldsOf(schema: JsonObject, path = ''): FieldRow[] {
  const rows: FieldRow[] = []
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [name, field] of entriesOf(schema.properties)) {
    const at = path === '' ? name : `${path}.${name}`
    rows.push(rowOf(at, field, required.includes(name)), ...fieldsOf(field, at))
  }
  for (const [key, suffix] of [
    ['additionalProperties', '.<name>'],
    ['items', '[]'],
  ] as const) {
    const inner = schema[key]
    if (isJsonObject(inner)) rows.push(...fieldsOf(inner, `${path}${suffix}`))
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    for (const one of listOf(schema[key])) rows.push(...fieldsOf(one, path))
  }
  return unique(rows)
}

/** Alternatives often share fields: each is listed once, with the first words on it. */
function unique(rows: readonly FieldRow[]): FieldRow[] {
  const byPath = new Map<string, FieldRow>()
  for (const row of rows) if (!byPath.has(row.path)) byPath.set(row.path, row)
  return [...byPath.values()]
}

function rowOf(path: string, schema: JsonObject, required: boolean): FieldRow {
  const description = typeof schema.description === 'string' ? schema.description : ''
  return { path, type: typeOf(schema), required, description }
}

export function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(', ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(' or ')
  const { type, items } = schema
  if (type === 'array') return isJsonObject(items) ? `list of ${typeOf(items)}` : 'list'
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'anything'
}

export function fieldTable(schema: JsonObject): string {
  return table(
    ['field', 'type', 'meaning'],
    fieldsOf(schema).map(({ path, type, required, description }) => [
      `\`${path}\``,
      required ? `${type}, required` : type,
      description,
    ]),
  )
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function entriesOf(value: Json | undefined): [string, JsonObject][] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]): [string, JsonObject][] =>
    isJsonObject(inner) ? [[name, inner]] : [],
  )
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
