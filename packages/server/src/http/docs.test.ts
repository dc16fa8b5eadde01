import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const get = async (path: string) => {
  const answer = await server.request('GET', path)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const imagesOf = (html: string) => [...html.matchAll(/<img src="([^"]+)/g)].map(([, at = '']) => at)
const linksOf = (html: string) =>
  [...html.matchAll(/href="(\/docs[^"#]*)/g)].map(([, at = '']) => at)

describe('/docs', () => {
  test('a search keeps its words in the field, whatever they are', async () => {
    const { text } = await get('/docs?q=%22%3E%3Cb%3E')
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;"')
  })

  test('every page is there, links lead somewhere, and its only script is a file', async () => {
    const seen = new Set<string>()
    const images = new Set<string>()
    const waiting = ['/docs']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const { status, text, headers } = await get(path)
      expect([path, status]).toEqual([path, 200])
      const scripts = [...text.matchAll(/<script.*/g)].map(([line]) => line)
      expect(scripts).toEqual(
        path.endsWith('.css') ? [] : ['<script src="/docs/copy.js" defer></script>'],
      )
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      waiting.push(...linksOf(text))
      for (const image of imagesOf(text)) images.add(image)
      // Whatever leads elsewhere leads out of the server, not to the first page.
      expect(text).not.toMatch(/href="(?!\/docs|\/"|#|https?:)/)
    }
    expect(images.size).toBeGreaterThan(3)
    for (const image of images) {
      const answer = await server.request('GET', image)
      const isDrawing = image.endsWith('.svg')
      expect([image, answer.status, answer.headers.get('content-type')]).toEqual([
        image,
        200,
        isDrawing ? 'image/svg+xml' : 'image/png',
      ])
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.subarray(1, 4).toString()).toBe(isDrawing ? 'svg' : 'PNG')
    }
    expect([...images]).toContain('/docs/images/graph-decision.svg')
    expect([...seen]).toEqual(
      expect.arrayContaining(['/docs/concepts', '/docs/reference/workflow', '/docs/style.css']),
    )
  })

  test('names the pages in the order of the guide, the reference apart', async () => {
    const { text } = await get('/docs/library')
    const nav = text.slice(0, text.indexOf('</nav>'))
    const [guide = '', reference = ''] = nav.split('<p>Reference</p>')
    const contents = [...(await get('/docs')).text.matchAll(/<td[^>]*><a href="([^"]+)"/g)]
    expect([...guide.matchAll(/<p>([^<]+)<\/p>/g)].map(([, heading]) => heading)).toEqual([
      'Start here',
      'Write rules',
      'Check rules before you rely on them',
      'Put them to work',
      'Look something up',
    ])
    expect(linksOf(guide.slice(guide.indexOf('<ul>')))).toEqual([
      '/docs',
      ...contents.map(([, at]) => at),
    ])
    expect(linksOf(reference)).toContain('/docs/reference/workflow')
    // The examples are in the repository, which the server does not have.
    expect(text).toContain('The repository has an example for each of these ways.')
  })

  test('is searched without a script, and what was asked for is only text', async () => {
    const { text } = await get('/docs?q=evidence')
    expect(linksOf(text)).toContain('/docs/guards-and-evidence')
    const excerpts = [...text.matchAll(/<br>(.*?)<\/li>/g)].map(([, words]) => words)
    expect(excerpts.join('\n')).not.toMatch(/\||`|\]\(|\*\*/)
    const hostile = await get(`/docs?q=${encodeURIComponent('<script>alert(1)</script>"')}`)
    expect(hostile.text).not.toContain('<script>')
    expect(hostile.text).toContain('&lt;script&gt;')
    expect((await get('/docs?q=zzzzzz')).text).toContain('Nothing was found.')
  })

  test.each([
    ['approval', '/docs/approvals'],
    ['tests before commit', '/docs/recipes'],
    ['ollama', '/docs/sessions'],
    ['max_edit_lines', '/docs/reference/workflow'],
    ['condition_failed', '/docs/reference/codes'],
  ])('finds the page on %s first', async (query, page) => {
    const { text } = await get(`/docs?q=${encodeURIComponent(query)}`)
    const hits = text.slice(text.indexOf('<h1>'))
    expect(/<li><a href="([^"#]+)/.exec(hits)?.[1]).toBe(page)
    // A comment in an example is no heading.
    expect(hits).not.toMatch(/<a [^>]*>[^<]*file: /)
  })

  test('leads from each page of the guide to the next', async () => {
    const { text } = await get('/docs/installation')
    const end = text.slice(text.lastIndexOf('<hr>'))
    expect(linksOf(end)).toEqual(['/docs', '/docs/first-workflow'])
    expect((await get('/docs/reference/codes')).text).not.toContain('Previous:')
  })

  test('leads links and hits to the heading that they name', async () => {
    const { text } = await get('/docs?q=chain by hand')
    expect(text).toContain('href="/docs/security#check-a-chain-by-hand"')
    const page = await get('/docs/security')
    expect(page.text).toContain('<h2 id="check-a-chain-by-hand">')
    for (const [, name = ''] of page.text.matchAll(/href="#([^"]+)"/g)) {
      expect(page.text).toContain(`id="${name}"`)
    }
  })

  test('colours code, and tells what is typed from what is answered', async () => {
    const { text } = await get('/docs/interrupts')
    expect(text).toContain('<span class="k">allowed_tools</span>: [Read, Edit, Write]')
    expect(text).toContain('<span class="c"># file: guarded.yaml</span>')
    expect(text).toContain('<span class="p">$ </span><span class="t">statewright workflow test')
  })

  test('has a script that copies, of a file alone', async () => {
    const { status, headers, text } = await get('/docs/copy.js')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(() => new Function(text)).not.toThrow()
  })

  test.each([
    '/docs/none',
    '/docs/reference/none',
    '/docs/..%2f..%2fpackage.json',
    '/docs/__proto__',
    '/docs/images/none.png',
    '/docs/images/demo.svg',
    '/docs/images/approvals-phone-dark.png',
    '/docs/images/..%2fguide%2fREADME.md',
  ])('%s is not there', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
