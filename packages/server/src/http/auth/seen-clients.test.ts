import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestHttp, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../../testing/server.ts'
import type { Caller } from '../../base/caller.ts'
import { hookHeader, SeenClients, type SeenProcess } from './seen-clients.ts'

const caller: Caller = { tokenId: 'agent_1', kind: 'hook', role: 'agent', name: 'hook' }

/** A client that sends a hook by itself, and lives until it is killed. */
const clientScript = `
  process.title = 'codex'
  const headers = { 'statewright-hook': 'command', 'statewright-process': String(process.pid) }
  const ask = () => require('node:http').get(process.argv[1], { headers }, (a) => a.resume())
  process.stdin.on('data', ask)
  ask()
`

let server: TestServer
let http: Server
let client: ChildProcess
let url = ''
const seen = new SeenClients()
let note: ((found: SeenProcess, proven: string | undefined) => void) | undefined

beforeAll(async () => {
  server = await testServer()
  http = createServer((incoming, outgoing) => {
    const found = noted(incoming)
    const proven = found.prove()
    outgoing.end(() => note?.(found, proven))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // It listens on TCP.
  url = `http://127.0.0.1:${port}/`
})

afterAll(async () => {
  client.kill('SIGKILL')
  http.close()
  await server.close()
})

function noted(incoming: IncomingMessage): SeenProcess {
  const headers = { get: (name: string) => String(incoming.headers[name] ?? '') }
  return seen.note({ server: server.server, request: { headers }, incoming }, caller, 'codex')
}

const next = () =>
  new Promise<{ key: string | undefined; proven: string | undefined }>((resolve) => {
    note = ({ key }, proven) => resolve({ key, proven })
  })

/** A hook that says it comes from another process than the one that sends it. */
function lie(pid: number): Promise<{ key: string | undefined; proven: string | undefined }> {
  const answered = next()
  const headers = { [hookHeader]: 'command', 'statewright-process': String(pid) }
  requestHttp(url, { headers, agent: false }, (answer) => answer.resume()).end()
  return answered
}

describe.runIf(process.platform === 'linux')('the client behind a hook command', () => {
  test('SH-18: is looked for in the kernel, and known by its word from then on', async () => {
    const unknown = await lie(process.pid)
    expect(unknown).toEqual({ key: undefined, proven: undefined })
    expect(server.auth.guarded.isEmpty).toBe(true)
    const first = next()
    client = spawn(process.execPath, ['-e', clientScript, url], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const found = await first
    expect(found.key).toMatch(new RegExp(`^${client.pid}\\b`))
    expect(found.proven).toBe(found.key)
    expect(server.auth.guarded.isEmpty).toBe(false)
    const second = next()
    client.stdin?.write('again\n')
    expect(await second).toEqual(found)
  })

  test('SH-18: where its word would open anything, the kernel is asked', async () => {
    const { key, proven } = await lie(client.pid ?? 0)
    expect(key).toMatch(new RegExp(`^${client.pid}\\b`))
    expect(proven).toBeUndefined()
  })
})
