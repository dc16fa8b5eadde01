import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience as bound, Testbed } from '../packages/server/testing/testbed.ts'

const testbed = new Testbed()
afterAll(() => testbed.close())

const start = (...args: string[]) => testbed.start(['up', ...args])

/** Asks with a host of our choosing, which `fetch` would not let us name. */
function statusAs(host: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const question = request(url, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    question.once('error', reject)
    question.end()
  })
}

describe('statewright up', () => {
  let child: ChildProcess
  let url: string

  beforeAll(async () => {
    const started = await testbed.up()
    child = started.child
    expect(started.ready).toEqual({
      url: expect.any(String),
      // By a name: browsers refuse passkeys at an IP address (PE-11).
      login: expect.stringMatching(
        new RegExp(`^http://localhost:${new URL(started.ready.url).port}/login/[\\w-]{43}$`),
      ),
      data: expect.stringContaining(join(testbed.home, '.local', 'state', 'statewright')),
      pid: child.pid,
    })
    url = started.ready.url
  }, bound.timeout)

  test('listens on the loopback address and tells its health', bound, async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const answer = await fetch(`${url}/healthz`)
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
  })

  test('serves the dashboard with the script and style that it names', bound, async () => {
    const page = await fetch(url)
    const html = await page.text()
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(html).toContain('<title>Statewright</title>')
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)]
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const [, path = ''] of files) {
      const file = await fetch(new URL(path, url))
      expect([path, file.status]).toEqual([path, 200])
      expect((await file.text()).length).toBeGreaterThan(100)
    }
  })

  test('WF-1: serves the JSON Schemas of workflows and processes', bound, async () => {
    for (const name of ['workflow', 'process']) {
      const schema = await (await fetch(`${url}/${name}-schema.json`)).json()
      expect(schema).toMatchObject({ type: 'object', properties: { states: {} } })
    }
  })

  test('refuses a request that names a foreign host', bound, async () => {
    expect(await statusAs('attacker.example', url)).toBe(403)
    expect(await statusAs(new URL(url).host, url)).toBe(200)
  })

  test('says so when its port is taken, and exits with 1', bound, async () => {
    const data = join(testbed.folder, 'other')
    const second = start('--port', new URL(url).port, '--data', data)
    let talk = ''
    second.stderr?.on('data', (chunk) => {
      talk += chunk
    })
    const [code] = await once(second, 'close')
    expect([code, talk.split(':')[0]]).toEqual([1, 'port_unusable'])
    expect(talk).toContain('--port 0')
  })

  test.each(['http', '-1', '65536', '1.5'])('refuses %s as a port', bound, async (port) => {
    const [code] = await once(start('--port', port), 'close')
    expect(code).toBe(2)
  })

  test('ends with 0 when it is told to stop', bound, async () => {
    child.kill('SIGTERM')
    const [code, signal] = await once(child, 'exit')
    expect([code, signal]).toEqual([0, null])
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })
})
