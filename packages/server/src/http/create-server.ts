import type { IncomingMessage } from 'node:http'
import { type Context, Hono } from 'hono'
import { problem } from '../base/problem.ts'
import { directAnswers } from './direct-routes.ts'
import { type OwnNames, strangerProblem } from './own-names.ts'
import { fileReply, type PageFile, pageAt } from './page-files.ts'
import { identify } from './pipeline/identify.ts'
import { answer, toResponse } from './pipeline/pipeline.ts'
import { problemReply, type Reply } from './pipeline/reply.ts'
import type { Route, ServerDependencies } from './pipeline/route.ts'

export interface AppOptions {
  readonly server: ServerDependencies
  readonly names: OwnNames
  readonly routes: readonly Route[]
  readonly pages: ReadonlyMap<string, PageFile>
}

type Env = { Bindings: { incoming?: IncomingMessage } }

/** The app, and what is answered before it is asked. */
export function createServer(options: AppOptions) {
  const app = createApp(options)
  const { server, names, routes } = options
  const direct = directAnswers(server, names, routes)
  return { fetch: app.fetch, request: app.request, direct }
}

/** Every route of the table behind the same door, and the files of the dashboard. */
function createApp({ server, names, routes, pages }: AppOptions): Hono<Env> {
  const app = new Hono<Env>()
  for (const route of routes) {
    app.on(route.method, route.path, (context) => {
      const { req, env } = context
      const incomingCall = { request: req.raw, params: req.param(), incoming: env?.incoming }
      return answer(server, names, route, incomingCall)
    })
  }
  app.notFound(async (context) => {
    const stranger = strangerOf(context, names)
    if (stranger !== undefined) return toResponse(stranger)
    const reply = await pageReply(context.req.raw, context.req.path, pages)
    return toResponse(await withFeedHead(server, context.req.raw.headers, reply))
  })
  app.onError((fault) => {
    server.log.error({ err: fault }, 'a request failed outside its route')
    return toResponse(problemReply(problem('internal', 'An internal error happened.')))
  })
  return app
}

function strangerOf({ req }: Context, names: OwnNames): Reply | undefined {
  const { headers } = req.raw
  const stranger = strangerProblem(names, headers.get('host'), headers.get('origin'))
  return stranger === undefined ? undefined : problemReply(stranger)
}

async function pageReply(
  { method, headers: sent }: Request,
  path: string,
  pages: ReadonlyMap<string, PageFile>,
): Promise<Reply> {
  const isRead = method === 'GET' || method === 'HEAD'
  const page = isRead ? pageAt(pages, path) : undefined
  if (page !== undefined) return fileReply(page, sent)
  // A person who typed it is answered by the page that says so in words, with a way on.
  const start = isRead && isPerson(sent, path) ? pages.get('/') : undefined
  if (start !== undefined) {
    return { status: 404, type: start.type, payload: (await start.as('identity')) ?? null }
  }
  const message = `There is nothing at ${path.slice(0, 200)} for ${method.slice(0, 20)}.`
  return problemReply(problem('not_found', message, { next: 'see /api/openapi.json.' }))
}

/**
 * Tells a page of who is logged in where the feed stands, as `Server-Timing`, which scripts can
 * read. What it asks for afterwards is no older, so that it reads on from there and asks once.
 */
async function withFeedHead(
  server: ServerDependencies,
  sent: Headers,
  reply: Reply,
): Promise<Reply> {
  const isPage = reply.type.startsWith('text/html') && sent.get('cookie') !== null
  // A page without a store to read from still says so in its own words.
  const head = isPage ? await feedHead(server, sent).catch(() => undefined) : undefined
  if (head === undefined) return reply
  return { ...reply, headers: { ...reply.headers, 'server-timing': `feed;desc="${head}"` } }
}

async function feedHead(server: ServerDependencies, sent: Headers): Promise<string | undefined> {
  if ((await identify(server, sent)) === undefined) return undefined
  return server.runtime.store.feed.head()
}

/** Browsers ask for pages as nothing else does; programs that guess an address do not. */
function isPerson(sent: Headers, path: string): boolean {
  return !path.startsWith('/api/') && sent.get('accept')?.includes('text/html') === true
}
