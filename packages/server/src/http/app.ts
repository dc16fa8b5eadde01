import { Hono } from 'hono'
import { localHosts, onlyOurHost, safeHeaders } from './guard-headers.ts'
import type { PageFile } from './page-files.ts'

export interface AppParts {
  readonly port: number
  readonly pages: ReadonlyMap<string, PageFile>
  /** JSON Schemas by the path they are served under. */
  readonly schemas: ReadonlyMap<string, object>
}

/** Everything the server answers so far: its health, the schemas and the dashboard. */
export function createApp(parts: AppParts): Hono {
  const app = new Hono()
  app.use(safeHeaders)
  app.use(onlyOurHost(localHosts(parts.port)))
  app.get('/healthz', (context) => context.json({ ok: true }))
  for (const [path, schema] of parts.schemas) app.get(path, (context) => context.json(schema))
  app.get('*', (context) => {
    const page = parts.pages.get(context.req.path)
    if (page === undefined) return context.notFound()
    return context.body(page.body, 200, { 'content-type': page.type, 'cache-control': 'no-cache' })
  })
  app.notFound((context) =>
    context.json({ code: 'not_found', message: `There is nothing at ${context.req.path}.` }, 404),
  )
  return app
}
