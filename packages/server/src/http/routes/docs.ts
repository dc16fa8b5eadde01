import { endpoints } from '@statewright/core/wire'
import { searchPassages } from '../../docs/doc-index.ts'
import { excerptOf, guidePassages } from '../../docs/passages.ts'
import { docImage, docPages } from '../../docs/read-docs.ts'
import { docStyle, escaped, frame, renderPage } from '../../docs/render-page.ts'
import type { Reply } from '../pipeline/reply.ts'
import { refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

/** The guide and the reference: static pages of ours, without a token like every static file. */
export const docRoutes: readonly Route[] = [
  serve(endpoints.readGuide, ({ query }) => (query.q === undefined ? page('') : found(query.q))),
  serve(endpoints.readGuidePage, ({ params }) => {
    if (params.page === 'style.css') return reply('text/css; charset=utf-8', docStyle)
    return page(params.page)
  }),
  serve(endpoints.readReferencePage, ({ params }) => page(`reference/${params.page}`)),
  serve(endpoints.getPicture, ({ params }) => {
    const payload = docImage(params.name)
    if (payload === undefined) return refuse('not_found', 'There is no such picture.')
    return { status: 200, type: 'image/png', payload }
  }),
]

function page(name: string): Reply {
  const known = docPages().get(name)
  if (known === undefined) return refuse('not_found', 'There is no such page; begin at /docs.')
  return reply('text/html; charset=utf-8', renderPage(known))
}

function found(query: string): Reply {
  const passages = guidePassages()
  const hits = searchPassages(passages, query).map(({ title, text }) => {
    const at = passages.find((one) => one.title === title)?.page ?? ''
    const href = `/docs${at === '' ? '' : `/${at}`}`
    return `<li><a href="${href}">${escaped(title)}</a><br>${escaped(excerptOf(text, 200))}</li>`
  })
  const list = hits.length === 0 ? '<p>Nothing was found.</p>' : `<ul>${hits.join('')}</ul>`
  const title = `Search: ${query}`
  return reply('text/html; charset=utf-8', frame(title, '-', `<h1>${escaped(title)}</h1>${list}`))
}

function reply(type: string, payload: string): Reply {
  return { status: 200, type, payload }
}
