import { limits } from '../../base/limits.ts'
import { finding } from '../finding.ts'
import { readJson } from './read-json.ts'
import { readYaml } from './read-yaml.ts'
import { type Source, unreadable } from './source.ts'

export type TextFormat = 'json' | 'yaml'

/**
 * Reads the text of a definition into plain values. Whatever the text is, the answer comes in
 * bounded time: size is looked at first, then depth, then meaning.
 */
export function readDefinitionText(text: string, options: { format?: TextFormat } = {}): Source {
  if (text.length > limits.definitionBytes) return unreadable(tooLargeFinding(text.length))
  if (text.includes('\0')) {
    const binary = 'This is not text: it contains NUL characters.'
    return unreadable(finding('not_text', [], binary))
  }
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (body.trim() === '') return unreadable(finding('syntax', [], 'The text is empty.'))
  const format = options.format ?? detectFormat(body)
  return format === 'json' ? readJson(body) : readYaml(body)
}

export function tooLargeFinding(bytes: number) {
  const max = limits.definitionBytes
  const message = `A definition may have at most ${max} bytes; this has ${bytes}.`
  return finding('too_large', [], message)
}

function detectFormat(text: string): TextFormat {
  return /^\s*[[{"]/.test(text) ? 'json' : 'yaml'
}
