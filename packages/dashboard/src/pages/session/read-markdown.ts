import { lexer, type Token } from 'marked'

export type MarkdownToken = Token

/** Longer texts are shown as they are: taking one apart must never hold up the page. */
const maxLength = 40_000

/** What a text is made of; nothing where it cannot be taken apart. */
export function readMarkdown(text: string): readonly MarkdownToken[] | null {
  if (text.length > maxLength) return null
  try {
    return lexer(text)
  } catch {
    // A text that is nested thousands of times over breaks the reader, not the page.
    return null
  }
}

/** An address that a person may follow; anything else is only shown. */
export function followable(href: string): string | null {
  return /^(https?:\/\/|mailto:)/i.test(href) ? href : null
}
