import type { ReactNode } from 'react'
import { memo, useDeferredValue, useMemo } from 'react'
import { plainText } from '../../model/words/plain-text.ts'
import { followable, type MarkdownToken, readMarkdown } from './read-markdown.ts'

/** Deeper than this, pieces are shown as they were written. */
const maxDepth = 12

/**
 * What a model wrote, with its headings, lists, tables and code. Every piece is drawn as text by
 * React: no HTML is made of it, and what is not listed here stays as it was written.
 */
export const Markdown = memo(function Markdown(props: {
  readonly text: string
  readonly max: number
}) {
  // Words come faster than a long text can be taken apart: the newest one waits for a free moment.
  const text = useDeferredValue(plainText(props.text, props.max))
  const tokens = useMemo(() => readMarkdown(text), [text])
  return (
    <div className="foreign markdown">
      {tokens === null ? <p className="said-text">{text}</p> : pieces(tokens, 0)}
    </div>
  )
})

function pieces(tokens: readonly MarkdownToken[] | undefined, depth: number): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no name but their order.
  return tokens?.map((token, at) => <Piece key={at} token={token} depth={depth} />)
}

function Piece({ token, depth }: { readonly token: MarkdownToken; readonly depth: number }) {
  if (depth > maxDepth) return token.raw
  const inner = () => pieces('tokens' in token ? token.tokens : undefined, depth + 1)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'paragraph':
      return <p>{inner()}</p>
    case 'heading':
      // No heading of ours: the outline of the page is not an agent's to write.
      return <p className={`md-heading md-${token.depth}`}>{inner()}</p>
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'code':
      return <CodeBlock text={token.text} language={token.lang ?? ''} />
    case 'codespan':
      return <code>{token.text}</code>
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'list': {
      const Tag = token.ordered === true ? 'ol' : 'ul'
      const start = token.ordered === true ? { start: Number(token.start) || 1 } : {}
      return <Tag {...start}>{pieces(token.items, depth + 1)}</Tag>
    }
    case 'list_item':
      return <li>{inner()}</li>
    case 'checkbox':
      return token.checked === true ? '☑ ' : '☐ '
    case 'table':
      return <Table token={token} depth={depth + 1} />
    case 'link':
      return <Address href={token.href} words={token.text} />
    case 'image':
      return <Address href={token.href} words={`image: ${token.text}`} />
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens !== undefined ? inner() : token.text
    default:
      return token.raw
  }
}

function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="block" tabIndex={0} aria-label={`Code ${language.slice(0, 40)}`.trim()}>
      <pre>{text}</pre>
    </section>
  )
}

function Table({ token, depth }: { readonly token: MarkdownToken; readonly depth: number }) {
  if (token.type !== 'table') return null
  type Cell = { readonly tokens: MarkdownToken[]; readonly align: string | null }
  const cells = (row: readonly Cell[], Tag: 'th' | 'td') =>
    row.map(({ tokens, align }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name but their column.
      <Tag key={at} className={align === 'right' ? 'md-right' : undefined}>
        {pieces(tokens, depth)}
      </Tag>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label="Table">
      <table className="table">
        <thead>
          <tr>{cells(token.header, 'th')}</tr>
        </thead>
        <tbody>
          {token.rows.map((row: readonly Cell[], at: number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their order.
            <tr key={at}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Words of a link may say one thing and its address another: both are shown. */
function Address({ href, words }: { readonly href: string; readonly words: string }) {
  const target = followable(href)
  const shown = words === href || words === '' ? href : `${words} (${href})`
  if (target === null) return shown
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  )
}
