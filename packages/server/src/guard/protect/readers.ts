import { canonicalTool, toolRef } from '@statewright/core/internal'

/**
 * Whether a tool is known to read, by every word of its name: one that also speaks of anything else
 * (`search_replace`, `get_or_write`, `view_and_apply`) may write.
 */
export function isReader(tool: string, server?: string): boolean {
  if (readingTools.has(canonicalTool(tool))) return true
  const { tool: name } = toolRef(tool, server)
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return readingVerbs.has(words[0] ?? '') && words.every((word) => readingWords.has(word))
}

const readingTools: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'WebFetch', 'WebSearch'])

const verbs = 'read get list search stat info tree view find show grep glob ls fetch describe'
const nouns =
  'file files text media image images content contents directory directories dir dirs folder ' +
  'folders path paths multiple many all allowed with sizes size metadata status info lines line ' +
  'by name pattern resource resources workspace project repository repo tree in of and from'

const readingVerbs: ReadonlySet<string> = new Set(verbs.split(' '))
const readingWords: ReadonlySet<string> = new Set(`${verbs} ${nouns}`.split(' '))
