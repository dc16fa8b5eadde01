import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'
import { fileReply, readPageFiles } from './page-files.ts'
import { encodingFor } from './pipeline/encoding.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const folder = mkdtempSync(join(tmpdir(), 'statewright-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))
const page = '<!doctype html><title>x</title>'
mkdirSync(join(folder, 'assets'))
// As in a clone, and as in the package that people install.
writeFileSync(join(folder, 'index.html'), page)
for (const name of ['index.html', 'assets/index-Dk_xZT9q.js']) {
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(page))
}
const files = readPageFiles(folder)

function fetched(path: string, headers: Record<string, string>) {
  const file = files.get(path)
  if (file === undefined) throw new Error(`there is no ${path}`)
  return fileReply(file, new Headers(headers))
}

describe('the encoding of an answer', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    ['br;q=nonsense', undefined],
  ])('%j takes %s', (header, encoding) => {
    expect(encodingFor(new Headers({ 'accept-encoding': header }))).toBe(encoding)
  })

  test.each([...files.keys()])('of %s is what the reader takes', async (path) => {
    const small = await fetched(path, { 'accept-encoding': 'gzip, br' })
    expect(small.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(small.payload as Uint8Array).toString()).toBe(page)
    const zipped = await fetched(path, { 'accept-encoding': 'gzip' })
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(gunzipSync(zipped.payload as Uint8Array).toString()).toBe(page)
    const plain = await fetched(path, {})
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(Buffer.from(plain.payload as Uint8Array).toString()).toBe(page)
  })

  test('no file is there for its brotli', () => {
    expect([...files.keys()].sort()).toEqual(['/', '/assets/index-Dk_xZT9q.js', '/index.html'])
  })

  test('of a large answer of the API is that of the reader, and no cache may keep it', async () => {
    const token = await server.token('person')
    const ask = (encoding: string) =>
      server.request('GET', '/api/templates', { token, headers: { 'accept-encoding': encoding } })
    const plain = await ask('identity')
    const text = await plain.text()
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const [encoding, read] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await ask(encoding)
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('etag')).toBeNull()
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.length).toBeLessThan(text.length / 2)
      expect(read(bytes).toString()).toBe(text)
    }
  })

  test('is none where an answer may hold a secret: to what is no GET, and to logins', async () => {
    const headers = { 'accept-encoding': 'br' }
    const token = await server.token('person')
    // A name as a stranger would choose it: long, and in the same answer as the secret.
    const body = { kind: 'agent', name: 'a'.repeat(100), project: `/home/${'a'.repeat(3000)}` }
    const minted = await server.request('POST', '/api/tokens', { token, body, headers })
    expect(minted.status).toBe(201)
    expect(minted.headers.get('content-encoding')).toBeNull()
    const login = await server.request('GET', `/login/${'a'.repeat(2000)}`, { headers })
    expect(login.headers.get('content-encoding')).toBeNull()
  })
})

describe('a reader who has it already', () => {
  test('is told so without a body, whatever the encoding it has', async () => {
    const tag = (await fetched('/', { 'accept-encoding': 'br' })).headers?.etag ?? ''
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
      const answer = await fetched('/', { 'if-none-match': known })
      expect([answer.status, answer.payload]).toEqual([304, null])
      expect(answer.headers).toMatchObject({ etag: tag, 'cache-control': 'no-cache' })
    }
    expect((await fetched('/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('never asks again for a file whose name holds its hash', async () => {
    const { headers } = await fetched('/assets/index-Dk_xZT9q.js', {})
    expect(headers?.['cache-control']).toBe('public, max-age=31536000, immutable')
    const index = await fetched('/index.html', {})
    expect(index.headers?.['cache-control']).toBe('no-cache')
  })

  test.each([
    '/docs',
    '/docs/concepts',
    '/docs/style.css',
    '/docs/reference/workflow',
    '/api/openapi.json',
    '/workflow-schema.json',
  ])('%s', async (path) => {
    const first = await server.request('GET', path, { headers: { 'accept-encoding': 'br' } })
    const tag = first.headers.get('etag') ?? ''
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    const again = await server.request('GET', path, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('is told anew where there is no such page', async () => {
    const missing = await server.request('GET', '/docs/nope')
    expect([missing.status, missing.headers.get('etag')]).toEqual([404, null])
    expect(missing.headers.get('cache-control')).toBe('no-store')
  })
})
