import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hookTarget, mcpEntry } from '../../packages/server/src/client-settings/installed-hook.ts'
import { installers } from '../../packages/server/src/client-settings/installers.ts'
import { canaryBody } from '../../packages/server/src/clients/canary.ts'
import { freePort } from '../../packages/server/testing/free-port.ts'
import {
  type CommandResult,
  firstLine,
  patience,
  type Ready,
  stopped,
  Testbed,
} from '../../packages/server/testing/testbed.ts'

/**
 * Settings of these clients hold in every folder of their user. A call is judged by the project in
 * which it happens, and by no other.
 */
const clients = [...installers.values()]
  .filter(({ settings, client }) => settings === 'user' && client !== 'gemini-extension')
  .map(({ client }) => client)

const testbed = new Testbed()
afterAll(() => testbed.close())

const folderOf = (name: string) => join(testbed.folder, name)
const [one, two, nobody] = [folderOf('one'), folderOf('two'), folderOf('nobody')]

interface Server {
  readonly ready: Ready
  readonly person: Record<string, string>
  stop(): Promise<unknown>
}

async function up(cwd: string): Promise<Server> {
  const child = testbed.start(['up', '--json', '--test-person'], {}, cwd)
  let talk = ''
  child.stderr?.on('data', (chunk) => {
    talk += chunk
  })
  const ready: Ready = JSON.parse(await firstLine(child, () => talk))
  const person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  return { ready, person, stop: () => stopped(child, 'SIGTERM') }
}

const installs = () => join(testbed.home, '.local', 'state', 'statewright', 'installs')

function record(client: string) {
  const name = readdirSync(installs()).find((file) => file.startsWith(`${client}-`)) ?? ''
  return JSON.parse(readFileSync(join(installs(), name), 'utf8'))
}

const probe = new URL('../../packages/server/plugin/opencode/probe.mjs', import.meta.url)
let calls = 0

/** A write, through the guard as it stands in the client's settings. */
function write(client: string, session: string, cwd: string): string {
  const spoken = client === 'claude-plugin' ? 'claude-code' : client
  calls += 1
  const body = { ...canaryBody(spoken, session, cwd), tool_use_id: `t${calls}`, call: `t${calls}` }
  const target = hookTarget(record(client).files)
  const [program, ...args] =
    target?.kind === 'plugin'
      ? [process.execPath, probe.pathname, target.file]
      : ['/bin/sh', '-c', target?.kind === 'shell' ? target.line : 'exit 9']
  // Clients start hooks where they were started themselves.
  const options = { cwd, env: testbed.environment(), input: JSON.stringify(body) }
  const ran = spawnSync(program ?? '', args, { ...options, encoding: 'utf8' })
  return `${ran.status} ${ran.stdout}${ran.stderr}`
}

const allowed = /^0 (\{\}|\{"decision":"allow"\})$/
const notAnswering = /^(2 |0 \{"decision":"deny").*could not check this call/

function run(args: readonly string[], server: Server, cwd: string): Promise<CommandResult> {
  return testbed.hosted([...args, '--yes'], server.person, cwd)
}

let server: Server

/** Commands of all clients at once: each is quick, and they do not meet. */
function runEach(
  command: string,
  by: Server,
  cwd: string,
  ...more: string[]
): Promise<CommandResult[]> {
  return Promise.all(clients.map((client) => run([command, client, ...more], by, cwd)))
}

beforeAll(async () => {
  for (const folder of [one, two, nobody, join(one, 'src')]) mkdirSync(folder, { recursive: true })
  for (const [folder, state] of [
    [one, 'first'],
    [two, 'second'],
  ] as const) {
    const states = `${state}: { allowed_tools: [Read], on: { DONE: done } }, done: { type: final }`
    const text = `id: notes\ninitial: ${state}\nstates: { ${states} }\n`
    writeFileSync(join(folder, 'notes.yaml'), text)
    const config = 'definitions: [notes.yaml]\nworkflow: notes\n'
    writeFileSync(join(folder, 'statewright.yaml'), config)
  }
  server = await up(one)
  const done = await runEach('install', server, one)
  expect(done.map(({ exit, out }) => [exit, out])).toEqual(
    clients.map((client) => [0, `${client} is installed for ${one}. Restart it.\n`]),
  )
}, patience.timeout)

describe('a client that was installed in one project', () => {
  test.each(clients)('%s is held there, and in folders below', patience, (client) => {
    expect(write(client, `${client}-1`, one)).toContain('may not be used in first')
    expect(write(client, `${client}-2`, join(one, 'src'))).toContain('may not be used in first')
  })

  test.each(clients)('%s is not judged in a folder of nobody', patience, (client) => {
    expect(write(client, `${client}-3`, nobody)).toMatch(allowed)
  })

  test.each(clients)('%s stays with its project wherever its session goes', patience, (client) => {
    expect(write(client, `${client}-4`, one)).toContain('may not be used in first')
    expect(write(client, `${client}-4`, nobody)).toContain('may not be used in first')
  })

  test.each(clients)('%s has our tools there and nowhere else', patience, async (client) => {
    const entry = mcpEntry(record(client).files)
    if (entry === undefined) return expect(entry).toBeDefined()
    expect(await listed(entry, nobody)).toEqual([])
    expect(await listed(entry, one)).toContain('statewright_transition')
  })

  test('is said not to be guarded in a folder of nobody', patience, async () => {
    const { exit, talk } = await testbed.hosted(['doctor', 'gemini'], server.person, nobody)
    expect([exit, talk]).toEqual([4, expect.stringContaining(`not guarded in ${nobody}`)])
    expect(talk).toContain(`Installed elsewhere: gemini (${one}).`)
  })
})

describe('another project', () => {
  let other: Server

  beforeAll(async () => {
    other = await up(two)
    const before = clients.map((client) => record(client).files)
    const done = await runEach('install', other, two)
    expect(done.map(({ exit, out }) => [exit, out])).toEqual(
      clients.map((client) => [0, `${client} is installed for ${two}. Restart it.\n`]),
    )
    // The settings of the clients were there already.
    expect(clients.map((client) => record(client).files)).toEqual(before)
  }, patience.timeout)
  afterAll(() => other.stop())

  test.each(clients)('judges its own calls of %s, by its own server', patience, (client) => {
    expect(write(client, `${client}-5`, two)).toContain('may not be used in second')
    expect(write(client, `${client}-6`, one)).toContain('may not be used in first')
    // A session of one project stays with it in the other.
    expect(write(client, `${client}-6`, two)).toContain('may not be used in first')
  })

  test('is looked at alone by doctor', patience, async () => {
    const { out, talk } = await testbed.hosted(['doctor', 'cursor'], other.person, two)
    expect(out).toContain(`cursor (${two})`)
    expect(out).not.toContain(`cursor (${one})`)
    expect(talk).toContain(`Installed elsewhere: cursor (${one}).`)
  })

  test('that is not guarded any more leaves the first as it was', patience, async () => {
    const removed = await runEach('uninstall', other, two)
    for (const { exit, talk } of removed) {
      expect([exit, talk]).toEqual([0, `It is still installed for ${one}.\n`])
    }
    for (const client of clients) {
      expect(write(client, `${client}-7`, two)).toMatch(allowed)
      expect(write(client, `${client}-8`, one)).toContain('may not be used in first')
      // What was guarded is not set free by taking its guard away.
      expect(write(client, `${client}-5`, two)).toMatch(/^(2 |0 \{"decision":"deny")/)
    }
  })
})

describe('a server', () => {
  test('that is down denies in its project, and nowhere else', patience, async () => {
    await server.stop()
    for (const client of clients) {
      expect(write(client, `${client}-9`, one)).toMatch(notAnswering)
      expect(write(client, `${client}-4`, nobody)).toMatch(notAnswering)
      expect(write(client, `${client}-10`, nobody)).toMatch(allowed)
    }
  })

  test('that comes back at another address is found there', patience, async () => {
    writeFileSync(join(server.ready.data, 'port'), String(await freePort()))
    server = await up(one)
    for (const client of clients) {
      expect(write(client, `${client}-11`, one)).toContain('may not be used in first')
    }
  })

  test('judges every folder where that was asked for', patience, async () => {
    for (const { exit } of await runEach('install', server, one, '--user')) expect(exit).toBe(0)
    for (const client of clients) {
      expect(write(client, `${client}-12`, nobody)).toContain('may not be used in first')
    }
    for (const { exit } of await runEach('uninstall', server, one, '--user')) expect(exit).toBe(0)
    for (const client of clients) expect(write(client, `${client}-13`, nobody)).toMatch(allowed)
  })

  test('whose project is uninstalled last leaves nothing behind', patience, async () => {
    for (const { exit, talk } of await runEach('uninstall', server, one)) {
      expect([exit, talk.includes('still')]).toEqual([0, false])
    }
    for (const file of ['.codex', '.gemini', '.copilot', '.cursor', '.config/opencode']) {
      expect([file, existsSync(join(testbed.home, file))]).toEqual([file, false])
    }
  })
})

/** The tools that our MCP server offers to a client which starts it in a folder. */
async function listed(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  cwd: string,
): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env.PATH ?? '', HOME: testbed.home }
  await client.connect(new StdioClientTransport({ command, args: [...args], cwd, env }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}
