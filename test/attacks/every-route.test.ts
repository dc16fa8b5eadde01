import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startServer } from '../../packages/server/src/app/start-server.ts'
import type { Route } from '../../packages/server/src/http/pipeline/route.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-routes-'))
const bound = { timeout: 60_000 }
let running: Running
let person: string

beforeAll(async () => {
  const environment = { HOME: folder, STATEWRIGHT_LOG_LEVEL: 'silent' }
  const options = { port: 0, data: join(folder, 'data') }
  const started = await startServer(options, environment, folder)
  if (!started.ok) throw new Error(started.error.message)
  running = started.value
  person = await running.serving.mintTestPerson()
}, bound.timeout)

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true })
})

async function ask({ method, path }: Route, token?: string, sent: object = {}) {
  const url = new URL(path.replaceAll(/:[a-z]+/g, 'some-id'), running.url)
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  const body = method === 'GET' ? {} : { body: JSON.stringify(sent) }
  const answer = await fetch(url, { method, headers, ...body })
  // What is looked at below.
  const reply = (await answer.json()) as { code?: string; kind?: string }
  return { status: answer.status, body: reply }
}

async function mint(kind: 'hook' | 'agent'): Promise<string> {
  const { tokens } = running.serving.auth
  return (await tokens.mint({ kind, name: kind, createdBy: 'test' })).secret
}

// Whatever the running server answers, and not a list of its own: a new route is tried by itself.
describe('every route that a running server has', () => {
  test('is public only where it must be', () => {
    const open = running.serving.routes.filter(({ who }) => who === 'public')
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /api/login',
      'GET /api/openapi.json',
      'GET /config-schema.json',
      'GET /docs',
      'GET /docs/:page',
      'GET /docs/images/:name',
      'GET /docs/reference/:page',
      'GET /healthz',
      'GET /login/:secret',
      'GET /oidc/callback',
      'GET /oidc/device',
      'GET /passkey.js',
      'GET /process-schema.json',
      'GET /readyz',
      'GET /workflow-schema.json',
      'POST /api/exec/done',
      'POST /api/exec/start',
      'POST /api/login/device',
      'POST /api/login/device/token',
      'POST /api/server/proof',
      'POST /hooks/:client',
      'POST /hooks/:client/status',
      'POST /login/:secret',
      'POST /login/:secret/passkey',
      'POST /oidc/device',
      'POST /oidc/login',
    ])
  })

  test('needs a token that counts', bound, async () => {
    for (const route of running.serving.routes) {
      if (route.who === 'public') continue
      for (const token of [undefined, 'x', `sw_person_${'A'.repeat(43)}`]) {
        const { status, body } = await ask(route, token)
        expect([route.path, status, body.code]).toEqual([route.path, 401, 'unauthenticated'])
      }
    }
  })

  test('SH-20: answers no status line to who does not prove to be a hook', bound, async () => {
    const route = running.serving.routes.find(({ path }) => path === '/hooks/:client/status')
    if (route === undefined) throw new Error('it is gone')
    for (const token of [undefined, 'x', `sw_hook_${'A'.repeat(43)}`]) {
      const { status, body } = await ask(route, token, { session: 's' })
      expect([status, body.code]).toEqual([401, 'unauthenticated'])
    }
  })

  test('is shut to tokens of a lesser kind', bound, async () => {
    const tokens = { hook: await mint('hook'), agent: await mint('agent') }
    const lesser = { hook: [], agent: ['hook'], person: ['hook', 'agent'] } as const
    let tried = 0
    for (const route of running.serving.routes) {
      if (route.who === 'public') continue
      for (const kind of lesser[route.who]) {
        const { status, body } = await ask(route, tokens[kind])
        expect([route.path, kind, status, body.code]).toEqual([
          route.path,
          kind,
          403,
          'not_permitted',
        ])
        tried += 1
      }
    }
    expect(tried).toBeGreaterThan(40)
    expect((await fetch(new URL('/api/me', running.url))).status).toBe(401)
  })

  test('is described', bound, async () => {
    const answer = await fetch(new URL('/api/openapi.json', running.url))
    const { paths } = (await answer.json()) as { paths: Record<string, object> } // As published.
    for (const { method, path } of running.serving.routes) {
      const operations = paths[path.replaceAll(/:([a-z]+)/g, '{$1}')]
      expect([path, operations]).toEqual([path, expect.anything()])
      expect(Object.keys(operations ?? {})).toContain(method.toLowerCase())
    }
  })

  test('knows a person when there is one', async () => {
    const { body } = await ask({ method: 'GET', path: '/api/me' } as Route, person) // Its address.
    expect(body.kind).toBe('person')
  })

  test('SE-12: keys lent to an agent of a session open its MCP server alone, and end', async () => {
    const whose = { tokenId: 'person_ann', kind: 'agent', role: 'agent', name: 'a' } as const
    const lent = running.serving.connect({ ...whose, session: 'sess_1' })
    for (const route of running.serving.routes.filter(({ who }) => who !== 'public')) {
      for (const token of [lent.token, lent.hookToken]) {
        const isOpen = route.path === '/mcp' && token === lent.token
        const status = isOpen ? (await ask(route, token)).status : await statusOf(route, token)
        if (isOpen) expect([route.path, status]).not.toEqual([route.path, 403])
        else expect([route.path, status]).toEqual([route.path, 403])
      }
    }
    lent.close()
    const [first] = running.serving.routes.filter(({ path }) => path === '/api/runs')
    if (first === undefined) throw new Error('no such route')
    expect(await statusOf(first, lent.token)).toBe(401)
  })
})

async function statusOf(route: Route, token: string): Promise<number> {
  return (await ask(route, token)).status
}
