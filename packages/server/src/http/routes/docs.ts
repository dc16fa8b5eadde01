import { own } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import type { HttpRequest } from '../../base/http-request.ts'
import { copyScript } from '../../docs/copy-script.ts'
import { schemaPassages, searchPassages } from '../../docs/doc-index.ts'
import { escaped } from '../../docs/escaped.ts'
import { type DocPassage, excerptOf, guidePassages } from '../../docs/passages.ts'
import { docImage, docPages } from '../../docs/read-docs.ts'
import { frame, renderPage } from '../../docs/render-page.ts'
import { docStyle } from '../../docs/style.ts'
import type { Reply } from '../pipeline/reply.ts'
import { refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

/** The guide and the reference: static pages of ours, without a token like every static file. */
export const docRoutes: readonly Route[] = [
  serve(
    endpoints.readGuide,
    ({ query, request }) => (query.q === undefined ? page('', request) : found(query.q)),
    { isPublished: true },
  ),
  serve(
    endpoints.readGuidePage,
    ({ params, request }) => {
      if (params.page === 'style.css') return reply('text/css; charset=utf-8', docStyle)
      if (params.page === 'copy.js') return reply('text/javascript; charset=utf-8', copyScript)
      return page(params.page, request)
    },
    { isPublished: true },
  ),
  serve(
    endpoints.readReferencePage,
    ({ params, request }) => page(`reference/${params.page}`, request),
    { isPublished: true },
  ),
  serve(
    endpoints.getPicture,
    ({ params }) => {
      const payload = docImage(params.name)
      if (payload === undefined) return refuse('not_found', 'There is no such picture.')
      const type = params.name.endsWith('.svg') ? 'image/svg+xml' : 'image/png'
      return { status: 200, type, payload }
    },
    { isPublished: true },
  ),
]

function page(name: string, { headers }: HttpRequest): Reply {
  const known = docPages().get(name)
  if (known === undefined) {
    const isBrowser = headers.get('accept')?.includes('text/html') === true
    return isBrowser ? noPage : refuse('not_found', 'There is no such page; begin at /docs.')
  }
  return reply('text/html; charset=utf-8', renderPage(known))
}

const noPage: Reply = {
  status: 404,
  type: 'text/html; charset=utf-8',
  payload: frame(
    'Not found',
    '-',
    `<h1>There is no such page</h1>
<p>Search at the side, or <a href="/docs">begin at the start</a>.</p>`,
  ),
}

function found(query: string): Reply {
  const pages = searchablePassages()
  const hits = searchPassages(pages, query).map(({ title, text }) => {
    const at = pages.find((one) => one.title === title)?.page ?? ''
    const href = `/docs${at === '' ? '' : `/${at}`}`
    const shown = escaped(title.replace(/^guide /, ''))
    return `<li><a href="${href}">${shown}</a><br>${escaped(excerptOf(text, 200))}</li>`
  })
  const list = hits.length === 0 ? '<p>Nothing was found.</p>' : `<ul>${hits.join('')}</ul>`
  const title = `Search: ${query}`
  return reply(
    'text/html; charset=utf-8',
    frame(title, '-', `<h1>${escaped(title)}</h1>${list}`, query),
  )
}

/** The pages of the reference that say more of a field or a code. */
const referencePages: Readonly<Record<string, string>> = {
  workflow: 'reference/workflow',
  process: 'reference/process',
  code: 'reference/codes',
  finding: 'reference/codes',
}

function searchablePassages(): DocPassage[] {
  const fields = schemaPassages().map((one) => {
    const kind = one.title.split(' ')[0] ?? ''
    return { ...one, page: own(referencePages, kind) ?? 'reference/workflow' }
  })
  return [...guidePassages(), ...fields]
}

function reply(type: string, payload: string): Reply {
  return { status: 200, type, payload }
}
