import { isJsonObject, type Json, readDefinitionText } from '@statewright/core/internal'

export interface FrontMatter {
  readonly fields: Readonly<Record<string, Json>>
  readonly body: string
  /** The line on which the body begins. */
  readonly bodyLine: number
  /** Why its head could not be read. */
  readonly fault?: string
}

/** Parts the YAML head of a skill from its text. A skill without one is all text. */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.split('\n')
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line))
  if (!/^---\s*$/.test(lines[0] ?? '') || end < 0) return { fields: {}, body: text, bodyLine: 1 }
  const rest = { body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 }
  const head = lines.slice(1, end).join('\n')
  const { value, findings } = readDefinitionText(head, { format: 'yaml' })
  if (isJsonObject(value) && findings.length === 0) return { fields: value, ...rest }
  const [first] = findings
  const fault = first?.message ?? 'It is not a list of fields.'
  return { fields: plainFields(head), ...rest, fault }
}

/** Heads that are not quite YAML are common: a description with a colon in it. */
function plainFields(head: string): FrontMatter['fields'] {
  const rows = [...head.matchAll(/^(name|description|allowed-tools):[ \t]*(\S.*)$/gm)]
  return Object.fromEntries(rows.map(([, key = '', value = '']) => [key, value.trim()]))
}
