import { Marked } from 'marked'
import { escaped } from './escaped.ts'
import { highlight } from './highlight.ts'
import { headingName } from './passages.ts'
import { type DocPage, docPages } from './read-docs.ts'

/** Only our own pages are rendered, never a text from elsewhere. */
export function renderPage(page: DocPage): string {
  const marked = new Marked({
    walkTokens: (token) => {
      if (token.type === 'image') token.href = token.href.replace(/^.*\//, '/docs/images/')
    },
    renderer: {
      // By the names that code hosts give them, which links in the pages use.
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${escaped(headingName(text))}">${inner}</h${depth}>\n`
      },
      code({ text, lang = '' }) {
        return `<pre data-language="${escaped(lang)}"><code>${highlight(text, lang)}</code></pre>\n`
      },
      // On a phone each cell of a wide table stands below the name of its column.
      table({ header, rows }) {
        const names = header.map(({ text }) => escaped(text.replaceAll(/[*`]/g, '')))
        const head = header.map(({ tokens }) => `<th>${this.parser.parseInline(tokens)}</th>`)
        const body = rows.map((cells) => {
          const inner = cells.map(({ tokens }, column) => {
            return `<td data-column="${names[column]}">${this.parser.parseInline(tokens)}</td>`
          })
          return `<tr>${inner.join('')}</tr>`
        })
        const width = header.length > 2 ? ' class="wide"' : ''
        return (
          `<table tabindex="0"${width}><thead><tr>${head.join('')}</tr></thead>` +
          `<tbody>${body.join('\n')}</tbody></table>\n`
        )
      },
      link({ href, tokens }) {
        const address = addressOf(href, page.name)
        const text = this.parser.parseInline(tokens)
        // A file of the repository that the server does not have is named, not led to.
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`
      },
    },
  })
  // Both scroll sideways where they are too wide, which takes the focus for people without a mouse.
  const body = marked.parse(page.text, { async: false }).replaceAll('<pre ', '<pre tabindex="0" ')
  return frame(page.title, page.name, body + neighbours(page))
}

/** The guide is a path: each page leads to the one before and the one after. */
function neighbours({ name }: DocPage): string {
  const guide = [...docPages().values()].filter((one) => !one.name.startsWith('reference'))
  const at = guide.findIndex((one) => one.name === name)
  if (at === -1) return ''
  const link = (page: DocPage | undefined, word: string) => {
    if (page === undefined) return ''
    const href = `/docs${page.name && `/${page.name}`}`
    return `<span>${word}: <a href="${href}">${escaped(page.title)}</a></span>`
  }
  const links = link(guide[at - 1], 'Previous') + link(guide[at + 1], 'Next')
  return `<hr><p class="neighbours">${links}</p>`
}

/** A page with the list of all others beside it. */
export function frame(title: string, current: string, body: string, query = ''): string {
  const lists = [...sections()].map(([name, pages]) => {
    const heading = name === '' ? '' : `<p>${escaped(name)}</p>\n`
    return `${heading}<ul>${pages.map((page) => item(page, current)).join('')}</ul>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Statewright</title>
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/copy.js" defer></script>
</head>
<body>
<nav aria-label="Pages">
<p><a href="/">Statewright</a></p>
<details>
<summary>All pages</summary>
<form action="/docs" role="search">
<input name="q" type="search" aria-label="Search the docs" placeholder="Search"
  value="${escaped(query)}">
</form>
${lists.join('\n')}
</details>
</nav>
<main>${body}</main>
</body>
</html>
`
}

/** The pages as the contents group them, the reference last. */
function sections(): Map<string, DocPage[]> {
  return Map.groupBy(docPages().values(), ({ name, section = '' }) =>
    name.startsWith('reference') ? 'Reference' : section,
  )
}

function item({ name, title }: DocPage, current: string): string {
  const here = name === current ? ' aria-current="page"' : ''
  return `<li><a href="/docs${name && `/${name}`}"${here}>${escaped(title)}</a></li>`
}

/** Where a link between files of the repository leads on the server; nowhere, it may be. */
function addressOf(href: string, from: string): string | undefined {
  if (/^[a-z]+:|^#/.test(href)) return href
  const [path = '', heading] = href.split('#')
  const base = from.startsWith('reference/') ? 'docs/reference/' : 'docs/guide/'
  const url = new URL(path, `file:///${base}`).pathname.replace(/^\//, '')
  const name = url.replace(/^docs\/(guide\/)?/, '').replace(/(README)?\.md$/, '')
  const anchor = heading === undefined ? '' : `#${heading}`
  return docPages().has(name) ? `/docs${name === '' ? '' : `/${name}`}${anchor}` : undefined
}
