/** One line of a Markdown text, with what it is as far as steps are concerned. */
export interface MarkdownLine {
  /** From 1, as an editor counts. */
  readonly number: number
  readonly text: string
  readonly heading?: { readonly level: number; readonly title: string }
  readonly item?: { readonly indent: number; readonly number: number }
  /** The language of the code block that it stands in, or an empty text. */
  readonly code?: string
}

export interface MarkdownText {
  readonly lines: readonly MarkdownLine[]
  /** Where a comment was left out: readers of the page do not see it, an agent would. */
  readonly comments: readonly number[]
  /** Where a code block begins that never ends. */
  readonly openFence?: number
}

/** Bold lines stand for headings below every real one. */
const boldLevel = 7

/**
 * Reads only what tells steps apart: headings, numbered items and code blocks. One pass over the
 * lines, whose patterns look at each character a bounded number of times: the text is a stranger's.
 */
export function readMarkdown(text: string, firstNumber: number): MarkdownText {
  const lines: MarkdownLine[] = []
  const comments: number[] = []
  let fence: { mark: string; language: string; number: number } | undefined
  let isComment = false
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const number = firstNumber + index
    if (fence !== undefined) {
      if (endsFence(raw, fence.mark)) {
        lines.push({ number, text: raw.trimEnd(), code: '' })
        fence = undefined
      } else lines.push({ number, text: raw.trimEnd(), code: fence.language })
      continue
    }
    const seen = withoutComments(raw, isComment)
    if (seen.found) comments.push(number)
    isComment = seen.isOpen
    const line = seen.text.trimEnd()
    const [, mark = '', language = ''] = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line) ?? []
    if (mark !== '') {
      fence = { mark, language: language.toLowerCase(), number }
      lines.push({ number, text: line, code: '' })
    } else lines.push({ number, text: line, ...shapeOf(line) })
  }
  return { lines, comments, ...(fence === undefined ? {} : { openFence: fence.number }) }
}

function endsFence(line: string, mark: string): boolean {
  const text = line.trim()
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length)
}

function withoutComments(line: string, wasOpen: boolean) {
  let text = ''
  let at = 0
  let isOpen = wasOpen
  let found = wasOpen
  while (at < line.length) {
    const next = line.indexOf(isOpen ? '-->' : '<!--', at)
    if (!isOpen) text += line.slice(at, next < 0 ? undefined : next)
    if (next < 0) break
    found = true
    at = next + (isOpen ? 3 : 4)
    isOpen = !isOpen
  }
  return { text, isOpen, found }
}

function shapeOf(line: string): Pick<MarkdownLine, 'heading' | 'item'> {
  const [, marks = '', title = ''] = /^ {0,3}(#{1,6})\s+(\S.*)$/.exec(line) ?? []
  if (marks !== '') {
    return { heading: { level: marks.length, title: title.replace(/\s#{1,6}$/, '').trim() } }
  }
  const bold = /^ {0,3}(\*\*|__)(\S.*)\1:?$/.exec(line)?.[2]
  if (bold !== undefined && !bold.includes('**')) {
    return { heading: { level: boldLevel, title: bold } }
  }
  const [, indent = '', number] = /^(\s*)(\d{1,4})[.)]\s+\S/.exec(line) ?? []
  return number === undefined ? {} : { item: { indent: indent.length, number: Number(number) } }
}
