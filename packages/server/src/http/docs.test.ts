import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from './server.test-kit.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const get = async (path: string) => {
  const answer = await server.request('GET', path)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const linksOf = (html: string) =>
  [...html.matchAll(/href="(\/docs[^"#]*)/g)].map(([, at = '']) => at)

describe('/docs', () => {
  test('every page is there, links lead somewhere, and none has a script', async () => {
    const seen = new Set<string>()
    const waiting = ['/docs']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const { status, text, headers } = await get(path)
      expect([path, status]).toEqual([path, 200])
      expect(text).not.toContain('<script')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      waiting.push(...linksOf(text))
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['/docs/concepts', '/docs/reference/workflow', '/docs/style.css']),
    )
  })

  test('is searched without a script, and what was asked for is only text', async () => {
    const { text } = await get('/docs?q=evidence')
    expect(linksOf(text)).toContain('/docs/guards-and-evidence')
    const hostile = await get(`/docs?q=${encodeURIComponent('<script>alert(1)</script>"')}`)
    expect(hostile.text).not.toContain('<script')
    expect(hostile.text).toContain('&lt;script&gt;')
    expect((await get('/docs?q=zzzzzz')).text).toContain('Nothing was found.')
  })

  test.each([
    '/docs/none',
    '/docs/reference/none',
    '/docs/..%2f..%2fpackage.json',
    '/docs/__proto__',
  ])('%s is not there', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
