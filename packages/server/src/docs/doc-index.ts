import {
  codes,
  findingCodes,
  processJsonSchema,
  workflowJsonSchema,
} from '@statewright/core/internal'

/** A passage that can be found: what it is about, and its words. */
export interface Passage {
  readonly title: string
  readonly text: string
}

export interface Excerpt extends Passage {
  readonly score: number
}

const maxExcerpts = 8
const maxTerms = 20

/** Looks for the passages that hold the rarest of the words asked for. */
export function searchPassages(passages: readonly Passage[], query: string): Excerpt[] {
  const terms = [...new Set(wordsOf(query))].slice(0, maxTerms)
  const indexed = passages.map((passage) => ({
    passage,
    title: new Set(wordsOf(passage.title)),
    words: new Set(wordsOf(passage.text)),
  }))
  const weights = new Map(
    terms.map((term) => {
      const having = indexed.filter(({ title, words }) => title.has(term) || words.has(term)).length
      return [term, having === 0 ? 0 : Math.log(1 + indexed.length / having)] as const
    }),
  )
  return indexed
    .map(({ passage, title, words }) => {
      let score = 0
      for (const [term, weight] of weights) {
        // A short title is about little else.
        if (title.has(term)) score += (2 + 1 / title.size) * weight
        if (words.has(term)) score += weight
      }
      return { ...passage, score: Math.round(score * 100) / 100 }
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, maxExcerpts)
}

/**
 * Identifiers count whole and by their segments, so that "edit lines" finds `max_edit_lines`; one
 * thing and several of it are the same word.
 */
function wordsOf(text: string): string[] {
  const whole = text.toLowerCase().match(/[a-z0-9_]+/g) ?? []
  return whole
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
    .map((word) => word.replace(/(?<=[a-z]{3})(?<!s)s$/, ''))
}

/** The reference that is always at hand: every field of the schemas, and every code. */
export function schemaPassages(): Passage[] {
  return [
    ...fieldsOf('workflow', workflowJsonSchema(), []),
    ...fieldsOf('process', processJsonSchema(), []),
    ...Object.entries(codes).map(([code, { status, exit, retry }]) => ({
      title: `code ${code}`,
      text: `${code}: HTTP ${status}, exit code ${exit}${retry ? ', trying again may help' : ''}.`,
    })),
    ...Object.entries(findingCodes).map(([code, severity]) => ({
      title: `finding ${code}`,
      text: `${code}: ${severity} reported when a definition is checked.`,
    })),
  ]
}

const deepest = 12

function fieldsOf(kind: string, schema: unknown, path: readonly string[]): Passage[] {
  if (typeof schema !== 'object' || schema === null || path.length > deepest) return []
  const passages: Passage[] = []
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' || key === '$defs') {
      for (const [name, inner] of Object.entries(value ?? {})) {
        passages.push(...described(kind, [...path, name], inner))
        passages.push(...fieldsOf(kind, inner, [...path, name]))
      }
    } else if (typeof value === 'object') {
      passages.push(
        ...fieldsOf(kind, value, key === 'additionalProperties' ? [...path, '*'] : path),
      )
    }
  }
  return passages
}

function described(kind: string, path: readonly string[], schema: unknown): Passage[] {
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return []
  if (typeof schema.description !== 'string') return []
  return [{ title: `${kind} ${path.join('.')}`, text: schema.description }]
}
