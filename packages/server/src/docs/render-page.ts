import { Marked } from 'marked'
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
      link({ href, tokens }) {
        const address = addressOf(href, page.name)
        const text = this.parser.parseInline(tokens)
        // A file of the repository that the server does not have is named, not led to.
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`
      },
    },
  })
  // Both scroll sideways where they are too wide, which takes the focus for people without a mouse.
  const body = marked
    .parse(page.text, { async: false })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<table tabindex="0">')
  return frame(page.title, page.name, body + neighbours(page))
}

/** The guide is a path: each page leads to the one before and the one after. */
function neighbours({ name }: DocPage): string {
  const guide = [...docPages().values()].filter((one) => !one.name.startsWith('reference'))
  const at = guide.findIndex((one) => one.name === name)
  if (at === -1) return ''
  const link = (page: DocPage | undefined, word: string) =>
    page === undefined
      ? ''
      : `${word}: <a href="/docs${page.name && `/${page.name}`}">${escaped(page.title)}</a> `
  const links = link(guide[at - 1], 'Previous') + link(guide[at + 1], 'Next')
  return `<hr><p>${links.trim()}</p>`
}

/** A page with the list of all others beside it. */
export function frame(title: string, current: string, body: string): string {
  const links = (isRequested: (name: string) => boolean) =>
    [...docPages().values()]
      .filter(({ name }) => isRequested(name))
      .map(({ name, title: label }) => {
        const here = name === current ? ' aria-current="page"' : ''
        const href = `/docs${name === '' ? '' : `/${name}`}`
        return `<li><a href="${href}"${here}>${escaped(label)}</a></li>`
      })
      .join('')
  const isReference = (name: string) => name.startsWith('reference')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Statewright</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Pages">
<p><a href="/">Statewright</a></p>
<details>
<summary>All pages</summary>
<form action="/docs" role="search">
<input name="q" type="search" aria-label="Search the docs" placeholder="Search">
</form>
<ul>${links((name) => !isReference(name))}</ul>
<p>Reference</p>
<ul>${links(isReference)}</ul>
</details>
</nav>
<main>${body}</main>
</body>
</html>
`
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

export function escaped(text: string): string {
  const words: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replaceAll(/[&<>"]/g, (character) => words[character] ?? '')
}

export const docStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --paper: #ffffff;
  --soft: #f4f6f8; --line: #d5dbe1; --link: #0a58ca; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --quiet: #9aa4ae; --paper: #14181c; --soft: #1d2329; --line: #323a42;
    --link: #7ab3ff; }
}
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper); font: 16px/1.6 system-ui, sans-serif; }
nav { padding: 1.5rem; border-right: 1px solid var(--line); font-size: 0.9rem; }
nav > p { margin-top: 0; font-weight: 600; } nav summary { display: none; cursor: pointer; }
nav details::details-content { content-visibility: visible; block-size: auto; }
nav ul { list-style: none; padding: 0; } nav li { margin: 0.35rem 0; }
nav a { text-decoration: none; } nav a[aria-current] { font-weight: 600; color: var(--ink); }
nav input { width: 100%; box-sizing: border-box; padding: 0.4rem; font: inherit;
  color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 4px; }
main { padding: 1.5rem 2.5rem 4rem; max-width: 52rem; }
a { color: var(--link); } pre { background: var(--soft); padding: 0.9rem; overflow-x: auto;
  border-radius: 6px; } code { font: 0.9em ui-monospace, monospace; }
:not(pre) > code { background: var(--soft); padding: 0.1em 0.3em; border-radius: 3px;
  overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; padding: 0.35rem 0.7rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
img { max-width: 100%; } h1, h2 { line-height: 1.25; }
.login { display: block; } .login main { max-width: 28rem; margin: 8vh auto 0; }
.login label { font-weight: 600; } .login small { color: var(--quiet); }
.login input { width: 100%; box-sizing: border-box; padding: 0.5rem; margin: 0.3rem 0;
  font: inherit; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; }
.login button { padding: 0.5rem 1.2rem; font: inherit; font-weight: 600; color: var(--paper);
  background: var(--link); border: 0; border-radius: 4px; cursor: pointer; }
@media (max-width: 46rem) { body { grid-template-columns: minmax(0, 1fr); }
  nav { border-right: 0; border-bottom: 1px solid var(--line); padding: 0.8rem 1rem; }
  nav > p { margin: 0 0 0.4rem; } nav summary { display: list-item; }
  nav details:not([open])::details-content { content-visibility: hidden; block-size: 0; }
  main { padding: 1rem; } }
`
