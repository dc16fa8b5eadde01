import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { bin, firstLine, patience, stopped, Testbed } from '../packages/server/testing/testbed.ts'
import { acceptConfig } from './support/accept-config.ts'
import { atTerminal } from './support/terminal.ts'

/** What a person at the server sees and can do while an MCP server behind it does not work. */

const testbeds: Testbed[] = []
afterAll(() => {
  for (const testbed of testbeds) testbed.close()
})

function testbedWith(upstreams: object): Testbed {
  const testbed = new Testbed()
  testbeds.push(testbed)
  writeFileSync(join(testbed.project, 'statewright.yaml'), JSON.stringify({ upstreams }))
  return testbed
}

/** A server that hears everything and never answers; it notes its id, what it got and heard. */
const silent = `
const { appendFileSync, writeFileSync } = require('node:fs')
process.on('SIGTERM', () => {})
process.stderr.write('I do not talk.\\n')
writeFileSync('silent.json', JSON.stringify({ pid: process.pid, env: process.env }))
process.stdin.on('data', (chunk) => appendFileSync('heard.txt', chunk))
setInterval(() => {}, 1000)
`

function testbedWithSilent(): Testbed {
  const testbed = testbedWith({ quiet: { command: process.execPath, args: ['silent.cjs'] } })
  writeFileSync(join(testbed.project, 'silent.cjs'), silent)
  return testbed
}

/** Starts a server whose configuration a person has accepted. */
async function upAccepted(testbed: Testbed) {
  const started = await testbed.up('--test-person')
  await acceptConfig(started.ready)
  return started
}

async function heard(testbed: Testbed): Promise<{ pid: number; env: Record<string, string> }> {
  const file = join(testbed.project, 'heard.txt')
  await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true)
  return JSON.parse(readFileSync(join(testbed.project, 'silent.json'), 'utf8'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a stop does not wait for a server that does not answer', patience, async () => {
  const testbed = testbedWithSilent()
  const { child } = await upAccepted(testbed)
  const { pid } = await heard(testbed)
  expect(await stopped(child, 'SIGINT')).toBe(130)
  // Had it been waited for, it would have been asked once more, in the words of the old era.
  expect(readFileSync(join(testbed.project, 'heard.txt'), 'utf8')).not.toContain('"initialize"')
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
})

test('whoever leaves at once leaves no server behind', patience, async () => {
  const testbed = testbedWithSilent()
  const { child } = await upAccepted(testbed)
  const { pid } = await heard(testbed)
  const left = once(child, 'exit')
  child.kill('SIGINT')
  // It does not obey, so that the first stop is still waiting for it.
  child.kill('SIGINT')
  expect(await left).toEqual([130, null])
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
})

test('it gets what a company network needs, and no password', patience, async () => {
  const testbed = testbedWithSilent()
  const given = {
    NODE_EXTRA_CA_CERTS: join(testbed.home, 'company.pem'),
    HTTPS_PROXY: 'http://proxy.test:3128',
    http_proxy: 'http://ann:secret@proxy.test:3128',
    NO_PROXY: 'localhost',
    SOME_TOKEN: 'secret',
  }
  writeFileSync(given.NODE_EXTRA_CA_CERTS, '')
  const child = testbed.start(['up', '--port', '0', '--json', '--test-person'], given)
  await acceptConfig(JSON.parse(await firstLine(child, () => '')))
  const { env } = await heard(testbed)
  const { NODE_EXTRA_CA_CERTS, HTTPS_PROXY, NO_PROXY } = given
  expect(env).toMatchObject({ NODE_EXTRA_CA_CERTS, HTTPS_PROXY, NO_PROXY })
  expect(JSON.stringify(env)).not.toContain('secret')
  await stopped(child, 'SIGTERM')
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on TCP.
  await once(server.close(), 'close')
  return port
}

test('at a terminal its trouble is one sentence, and JSON in a file', patience, async () => {
  const port = await closedPort()
  const upstreams = { tickets: { type: 'http', url: `http://127.0.0.1:${port}/mcp` } }
  const trouble =
    `The MCP server tickets is not connected: connect ECONNREFUSED 127.0.0.1:${port}. ` +
    'Trying again.'

  const testbed = testbedWith(upstreams)
  const typed = `'${process.execPath}' '${bin}' up --port 0`
  const where = { folder: testbed.folder, cwd: testbed.project, env: testbed.environment() }
  const screen = await atTerminal(typed, where, [
    { question: /\[y\/N\]/, answer: 'y\n' },
    { question: /Trying again/, answer: '\x03' },
  ])
  expect(screen).toMatch(/\d\d:\d\d:\d\d info The MCP server tickets/)
  expect(screen).toContain(trouble)
  expect(screen).toContain('Stopping; Ctrl-C again leaves at once.')
  expect(screen).not.toMatch(/"level"|\bat .*:\d+:\d+/)

  const { child, talk } = await upAccepted(testbedWith(upstreams))
  const logged = () =>
    talk()
      .split('\n')
      .find((line) => line.includes('The MCP server tickets'))
  await expect.poll(logged, { timeout: 60_000 }).toBeDefined()
  expect(JSON.parse(logged() ?? '')).toMatchObject({ level: 30, msg: trouble })
  await stopped(child, 'SIGTERM')
})

test('a tool of it that is missing says that its server is', patience, async () => {
  const missing = { command: 'no-such-command-here', args: [] }
  const testbed = testbedWith({ files: missing })
  const { ready, child } = await upAccepted(testbed)
  const client = new Client({ name: 'test', version: '1' }, {})
  const headers = { authorization: `Bearer ${ready.person_token}` }
  const url = new URL(`${ready.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const answer = await client.callTool({ name: 'write_file', arguments: {} })
  expect([answer.isError, JSON.stringify(answer.content)]).toEqual([
    true,
    expect.stringContaining(
      'There is no tool write_file here. Not connected: files (there is no command ' +
        'no-such-command-here on the PATH of the server).',
    ),
  ])
  await client.close()
  await stopped(child, 'SIGTERM')
})
