import { workflowJsonSchema } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})

afterAll(() => server.close())

const get = (path: string, host?: string) =>
  server.ask('GET', path, host === undefined ? {} : { headers: { host } })

describe('the server', () => {
  test('WF-1: serves the JSON Schema', async () => {
    const { status, body } = await get('/workflow-schema.json')
    expect([status, body]).toEqual([200, workflowJsonSchema()])
  })

  test('serves the page under a policy that lets only our own files run', async () => {
    const { status, text, headers } = await get('/')
    expect([status, text]).toEqual([200, '<p>hello</p>'])
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each(['localhost:4747', '127.0.0.1:4747', 'LOCALHOST:4747'])(
    'answers as %s',
    async (host) => {
      expect((await get('/healthz', host)).status).toBe(200)
      expect((await get('/', host)).status).toBe(200)
    },
  )

  test.each([
    'example.com',
    'example.com:4747',
    'localhost',
    'localhost:80',
    '127.0.0.1.nip.io:4747',
    '',
  ])('refuses to answer as "%s"', async (host) => {
    for (const path of ['/', '/healthz', '/nothing', '/workflow-schema.json']) {
      const { status, body } = await get(path, host)
      expect([status, body.code]).toEqual([403, 'foreign_host'])
    }
  })

  test.each([
    '/nothing',
    '/runsx',
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
  ])('has nothing at %s, and the answer carries the same policy', async (path) => {
    const { status, headers, body } = await get(path)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each(['/runs', '/runs/run_1', '/workflows/a%2f..%2fb', '/settings'])(
    'shows the dashboard at %s, which finds out itself what that means',
    async (path) => {
      expect((await get(path)).text).toBe('<p>hello</p>')
    },
  )

  test('has no page for a method that changes things', async () => {
    expect((await server.ask('POST', '/', { body: '' })).status).toBe(404)
    expect((await server.ask('OPTIONS', '/api/check')).status).toBe(404)
  })
})
