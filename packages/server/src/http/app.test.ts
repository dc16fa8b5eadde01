import { describe, expect, test } from 'vitest'
import { createApp } from './app.ts'

const page = { type: 'text/html; charset=utf-8', body: new TextEncoder().encode('<p>hello</p>') }
const app = createApp({
  port: 4747,
  pages: new Map([['/', page]]),
  schemas: new Map([['/workflow-schema.json', { title: 'workflow' }]]),
})

async function get(path: string, host = '127.0.0.1:4747') {
  const answer = await app.request(`http://ignored${path}`, { headers: { host } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('the server', () => {
  test('tells its health', async () => {
    const { status, text } = await get('/healthz')
    expect([status, text]).toEqual([200, '{"ok":true}'])
  })

  test('WF-1: serves the JSON Schema', async () => {
    const { status, text } = await get('/workflow-schema.json')
    expect([status, text]).toEqual([200, '{"title":"workflow"}'])
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
    for (const path of ['/', '/healthz', '/nothing']) {
      const { status, text } = await get(path, host)
      expect([status, JSON.parse(text).code]).toEqual([403, 'foreign_host'])
    }
  })

  test.each(['/nothing', '/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json'])(
    'has nothing at %s, and the answer carries the same policy',
    async (path) => {
      const { status, headers } = await get(path)
      expect(status).toBe(404)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    },
  )
})
