import { writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listedTools } from '../../packages/server/src/mcp/probe-mcp.ts'
import { connectPeople } from '../../packages/server/src/sdk/sdk.ts'
import { bin, patience, type Ready, Testbed } from '../../packages/server/testing/testbed.ts'

/** Commands, the library and our MCP server, where another program has the port of the server. */

const testbed = new Testbed()
let ready: Ready
let agent: string
let person: string
let taken: HttpServer | undefined
let heard = ''

beforeAll(async () => {
  ready = (await testbed.up('--test-person')).ready
  person = ready.person_token ?? ''
  const options = { STATEWRIGHT_TOKEN: person }
  const made = await testbed.hosted(['token', 'create', '--kind', 'agent', '--name', 'a'], options)
  agent = made.out.trim()
  expect(agent).toMatch(/^sw_agent_/)
}, patience.timeout)
afterAll(() => testbed.close())
afterEach(() => {
  taken?.close()
  taken?.closeAllConnections()
  heard = ''
})

/** Says yes to everything, or passes everything on to the server, and hears all of it. */
async function takePort(target?: string): Promise<string> {
  taken = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    heard += `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}\n`
    if (target === undefined) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ mac: '0'.repeat(64), ok: true, tokens: [] }))
    }
    const { authorization = '' } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    return response.end(await answer.text())
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  taken.listen(0, '127.0.0.1', resolve)
  await promise
  const address = taken.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

function expectNoOutput(): void {
  expect(heard).not.toContain(person.slice(-20))
  expect(heard).not.toContain(agent.slice(-20))
  expect(heard).not.toMatch(/bearer|"pin"/i)
}

const commands = ['run list', 'approval approve apr_1', 'token list']

describe('SH-20b: a command', patience, () => {
  test.each(commands)('%s sends no token to whoever has the port', async (line) => {
    const url = await takePort()
    const environment = { STATEWRIGHT_URL: url, STATEWRIGHT_TOKEN: person }
    const ran = await testbed.hosted(line.split(' '), environment)
    expect(heard).not.toBe('')
    expectNoOutput()
    expect([ran.exit, ran.talk]).toEqual([6, expect.stringContaining('cannot prove')])
  })

  test('doctor sends none, of whichever client', async () => {
    const options = { STATEWRIGHT_TOKEN: person }
    await testbed.hosted(['install', 'claude-code', '--yes'], options)
    const url = await takePort()
    const ran = await testbed.hosted(['doctor', '--json'], { ...options, STATEWRIGHT_URL: url })
    expect(ran.out).toContain('claude-code')
    expect(heard).toContain('/api/server/proof')
    expectNoOutput()
  })

  test('sends none to who passes the question on to the server', async () => {
    const url = await takePort(ready.url)
    const environment = { STATEWRIGHT_URL: url, STATEWRIGHT_TOKEN: person }
    const ran = await testbed.hosted(['run', 'list'], environment)
    expectNoOutput()
    expect([ran.exit, ran.talk]).toEqual([6, expect.stringContaining('cannot prove')])
  })

  test('sends no login link and no PIN', async () => {
    const url = await takePort()
    const link = `${url}/login/${'A'.repeat(43)}`
    const ran = await testbed.hosted(['login', link], { STATEWRIGHT_URL: ready.url })
    expect([ran.exit, ran.talk]).toEqual([6, expect.stringContaining('cannot prove')])
    expect(heard).not.toContain('AAAAAAAAAAAAAAAAAAAA')
  })

  test('works with the server, which is told a wrong token to be unknown', async () => {
    const environment = { STATEWRIGHT_URL: ready.url, STATEWRIGHT_TOKEN: person }
    expect((await testbed.hosted(['run', 'list'], environment)).exit).toBe(0)
    const wrong = { ...environment, STATEWRIGHT_TOKEN: `sw_person_${'A'.repeat(43)}` }
    const ran = await testbed.hosted(['run', 'list'], wrong)
    expect(ran.talk).toContain('unauthenticated')
  })

  test('speaks plain http to another machine only when told to', async () => {
    const environment = { STATEWRIGHT_URL: 'http://192.0.2.7:4747', STATEWRIGHT_TOKEN: person }
    const ran = await testbed.hosted(['run', 'list'], environment)
    expect([ran.exit, ran.talk]).toEqual([2, expect.stringContaining('STATEWRIGHT_TRUST_URL')])
    const url = await takePort()
    const trusting = { STATEWRIGHT_TRUST_URL: '1', STATEWRIGHT_TOKEN: person }
    await testbed.hosted(['run', 'list'], { ...trusting, STATEWRIGHT_URL: url })
    expect(heard).toContain(person)
  })
})

test('SH-20b: the library sends no token to whoever has the port', patience, async () => {
  const url = await takePort()
  const people = connectPeople({ url, token: person })
  await expect(people.approvals()).rejects.toMatchObject({ code: 'server_unreachable' })
  expectNoOutput()
  expect(await connectPeople({ url: ready.url, token: person }).approvals()).toEqual([])
})

test('SH-20b: our MCP server sends no token to whoever has the port', patience, async () => {
  const url = await takePort()
  const keyFile = join(testbed.folder, 'key.json')
  writeFileSync(keyFile, JSON.stringify({ url, token: agent, hook_token: agent }))
  const args = [bin, 'mcp', '--key', keyFile]
  const tools = await listedTools({ command: process.execPath, args })
  expect(tools).toMatchObject({ ok: false, error: expect.stringContaining('cannot prove') })
  expect(heard).toContain('/api/server/proof')
  expectNoOutput()
})
