import { docPages } from './read-docs.ts'

/** A part of a page under one heading, for the search. */
export interface DocPassage {
  readonly title: string
  readonly text: string
  /** Name of its page, and of its heading there. */
  readonly page: string
}

/** The name of a heading in an address. */
export function headingName(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return plain.trim().replaceAll(/\s/g, '-')
}

const maxText = 1500

/** Every page cut at its headings. The reference is left out: its fields are found one by one. */
export function guidePassages(): DocPassage[] {
  return [...docPages().values()]
    .filter(({ name }) => !name.startsWith('reference'))
    .flatMap(({ name, title, text }) =>
      atHeadings(text).flatMap((part): DocPassage[] => {
        const heading = /^#{1,3} (.+)$/m.exec(part)?.[1]
        if (heading === undefined) return []
        const body = part.slice(part.indexOf('\n') + 1).trim()
        const full = heading === title ? `guide ${title}` : `guide ${title}: ${heading}`
        const page = heading === title ? name : `${name}#${headingName(heading)}`
        return body === '' ? [] : [{ title: full, text: body.slice(0, maxText), page }]
      }),
    )
}

/** Examples hold lines that begin like a heading and are comments. */
function atHeadings(text: string): string[] {
  const pieces: string[] = []
  let isExample = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isExample = !isExample
    const begins = pieces.length === 0 || (!isExample && /^#{1,3} /.test(line))
    if (begins) pieces.push(line)
    else pieces.push(`${pieces.pop()}\n${line}`)
  }
  return pieces
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
