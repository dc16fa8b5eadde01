import { docPages } from './read-docs.ts'

/** A part of a page under one heading, for the search. */
export interface DocPassage {
  readonly title: string
  readonly text: string
  /** Name of its page. */
  readonly page: string
}

const maxText = 1500

/** Every page cut at its headings. The reference is left out: its fields are found one by one. */
export function guidePassages(): DocPassage[] {
  return [...docPages().values()]
    .filter(({ name }) => !name.startsWith('reference'))
    .flatMap(({ name, title, text }) =>
      text.split(/^(?=#{1,3} )/m).flatMap((part): DocPassage[] => {
        const heading = /^#{1,3} (.+)$/m.exec(part)?.[1]
        if (heading === undefined) return []
        const body = part.slice(part.indexOf('\n') + 1).trim()
        const full = heading === title ? `guide ${title}` : `guide ${title}: ${heading}`
        return body === '' ? [] : [{ title: full, text: body.slice(0, maxText), page: name }]
      }),
    )
}

/** The beginning of a passage as plain words, for a list of what was found. */
export function excerptOf(markdown: string, length: number): string {
  const words = markdown
    .replaceAll(/^```.*$/gm, ' ')
    .replaceAll(/^\|?[\s:|-]+\|[\s:|-]*$/gm, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:[-*]|#+|\d+\.)\s+/gm, '')
    .replaceAll(/ *\| */g, ' ')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words.length <= length ? words : `${words.slice(0, length)}…`
}
