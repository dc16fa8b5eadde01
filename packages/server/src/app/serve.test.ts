import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { release } from '../../testing/server.ts'
import { processStart } from '../base/process-start.ts'
import { listenLimits } from '../http/listen.ts'
import { createLog } from '../observe/logger.ts'
import { defaultSettings } from '../runtime/settings.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { type Serving, serve } from './serve.ts'
import type { ServeOptions } from './serve-options.ts'

let folder: string
let store: Store
let serving: Serving
let person: string

async function open(more: Partial<ServeOptions> = {}): Promise<void> {
  store = await openSqliteStore({ folder })
  const log = createLog({ level: 'silent' })
  const served = await serve({ store, settings: defaultSettings, port: 0, log, ...more })
  if (!served.ok) throw new Error(served.error.message)
  serving = served.value
  person = await serving.mintTestPerson()
}

async function close(): Promise<void> {
  await serving.close()
  await store.close()
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'statewright-serve-'))
})

afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

async function ask(method: string, path: string, body?: object, token = person) {
  const answer = await fetch(new URL(path, serving.url), {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: answer.status, body: (await answer.json()) as any }
}

async function startRelease(token = person): Promise<string> {
  await ask('PUT', '/api/workflows/release', release)
  const { body } = await ask('POST', '/api/runs', { workflow: 'release' }, token)
  return body.run_id
}

describe('a server that listens', () => {
  test('judges calls, and login links work on it', async () => {
    await open()
    const run = await startRelease()
    const { body } = await ask('POST', '/api/check', { run, tool: 'Write', input: {} })
    expect(body).toMatchObject({ decision: 'deny', code: 'tool_not_allowed' })
    const link = serving.loginUrl()
    const first = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams(),
      redirect: 'manual',
    })
    expect([first.status, first.headers.getSetCookie()]).toEqual([
      303,
      [expect.stringContaining('HttpOnly; SameSite=Strict')],
    ])
    expect((await fetch(link)).status).toBe(404)
  })

  test('answers a client hook with a denial, whatever is wrong', async () => {
    await open()
    const hook = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_name: 'Write',
      tool_input: {},
    }
    const ask = async (headers: Record<string, string>, body: string, client = 'claude-code') => {
      const answer = await send(`hooks/${client}`, { method: 'POST', headers, body })
      return [answer.status, JSON.parse(answer.text)]
    }
    const denial = [
      200,
      { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
    ]
    const good = { authorization: `Bearer ${person}` }
    expect(await ask({}, JSON.stringify(hook))).toEqual(denial)
    expect(await ask({ authorization: 'Bearer x' }, JSON.stringify(hook))).toEqual(denial)
    expect(await ask({ ...good, host: 'evil.example' }, JSON.stringify(hook))).toMatchObject([
      200,
      {},
    ])
    const [status] = await ask(good, 'no json')
    expect(status).toBe(200)
    const [unknown] = await ask(good, JSON.stringify(hook), 'nobody')
    expect(unknown).toBe(200)
  })

  test('refuses 100 MB without reading them', async () => {
    await open()
    const sent = await flood(new URL('/api/check', serving.url), 100 * 1024 * 1024)
    expect(sent.status).toBe(413)
    expect(sent.bytes).toBeLessThan(20 * 1024 * 1024)
    const chunked = await flood(new URL('/api/check', serving.url), 100 * 1024 * 1024, 'chunked')
    expect(chunked.status).toBe(413)
    expect(chunked.bytes).toBeLessThan(20 * 1024 * 1024)
    expect((await ask('GET', '/healthz')).status).toBe(200)
  })

  test('cuts off clients that never finish their headers or their body', async () => {
    await open({ limits: { ...listenLimits, headersMs: 300, requestMs: 600 } })
    const { port } = new URL(serving.url)
    const half = 'POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\n'
    const [headers, body] = await Promise.all([
      drip(Number(port), half),
      drip(Number(port), `${half}Content-Length: 100\r\n\r\n{`),
    ])
    expect([headers, body]).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 408/),
      expect.stringMatching(/^HTTP\/1\.1 4\d\d|^$/),
    ])
  })

  test('has room for a person, whoever holds its connections open', async () => {
    await open({ limits: { ...listenLimits, connections: 20 } })
    const { port } = new URL(serving.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const kept = () => healthOn(agent)
    expect(await kept()).toEqual({ status: 200, isReused: false })
    const idle = await Promise.all(Array.from({ length: 60 }, () => holdOpen(Number(port))))
    try {
      expect((await ask('GET', '/api/runs')).status).toBe(200)
      expect(await kept()).toEqual({ status: 200, isReused: true })
      // The ones that came last are still there: it is room that was made, not a wall.
      expect(idle.filter((socket) => !socket.destroyed && socket.writable).length).toBeGreaterThan(
        0,
      )
    } finally {
      for (const socket of idle) socket.destroy()
      agent.destroy()
    }
  })

  test('a person’s door is shut to the children of a guarded client', async () => {
    await open()
    const run = await startRelease()
    const client = spawn(process.execPath, ['-e', guardedClient], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const startTime = processStart(client.pid ?? 0)
    serving.auth.guarded.add({ pid: client.pid ?? 0, startTime: startTime ?? '' })
    const say = (path: string, body: object) =>
      lineFrom(client, { url: new URL(path, serving.url).href, token: person, body })
    expect(await say('/api/tokens', { kind: 'person' })).toEqual([403, 'self_approval'])
    expect(await say(`/api/runs/${run}/force`, { state: 'done' })).toEqual([403, 'self_approval'])
    expect(await say('/api/login/device/token', { device_code: 'x' })).toEqual([
      403,
      'self_approval',
    ])
    expect(await say(`/api/runs/${run}/stop`, {})).toEqual([403, 'self_approval'])
    expect(await say('/api/check', { run, tool: 'Read', input: {} })).toEqual([200, null])
    client.kill()
    expect((await ask('POST', '/api/tokens', { kind: 'hook' })).status).toBe(201)
  })

  test('of each client that sends hooks itself, however soon after another', async () => {
    await open()
    const { body } = await ask('POST', '/api/tokens', { kind: 'hook', name: 'h' })
    // Known by the name of its program.
    const program = join(folder, 'opencode.js')
    writeFileSync(program, hookingClient)
    const env = { ...process.env, KEY: keyProgram, SERVER: serving.url, TOKEN: body.token }
    for (const session of ['first', 'second']) {
      const client = spawn(process.execPath, [program, session], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env,
      })
      const [status] = await once(client.stdout, 'data')
      expect([session, JSON.parse(String(status))]).toEqual([session, 200])
      const request = { url: new URL('/api/tokens', serving.url).href, token: person }
      const answer = await lineFrom(client, { ...request, body: { kind: 'person' } })
      client.kill()
      expect([session, answer]).toEqual([session, [403, 'self_approval']])
    }
  })
})

describe('a stop', () => {
  test('that was clean leaves no gap in a run', async () => {
    await open()
    const run = await startRelease()
    await close()
    await open()
    await ask('GET', `/api/runs/${run}`)
    const { body } = await ask('GET', `/api/runs/${run}/entries`)
    expect(body.entries.map((one: { type: string }) => one.type)).toEqual(['run_started'])
  })

  test('that was not is written once into each run that was under way', async () => {
    await open()
    const run = await startRelease()
    const ended = await startRelease()
    await ask('POST', `/api/runs/${ended}/stop`)
    await close()
    // As a killed server leaves it.
    store = await openSqliteStore({ folder })
    await store.settings.set('server.running.local', 'running')
    await store.close()
    await open()
    for (const id of [run, ended, run]) await ask('GET', `/api/runs/${id}`)
    await ask('POST', '/api/check', { run, tool: 'Read', input: {} })
    const types = async (id: string) => {
      const { body } = await ask('GET', `/api/runs/${id}/entries`)
      return body.entries.map((one: { type: string }) => one.type)
    }
    expect(await types(run)).toEqual(['run_started', 'gap', 'call_decided'])
    expect(await types(ended)).toEqual(['run_started', 'run_ended'])
    await close()
    await open()
    await ask('GET', `/api/runs/${run}`)
    expect(await types(run)).toEqual(['run_started', 'gap', 'call_decided'])
    const verified = await ask('GET', `/api/runs/${run}/verify`)
    expect(verified.body.ok).toBe(true)
  })
})

/** Asks with headers of our choosing, which `fetch` would not let us name. */
function send(
  path: string,
  options: { method: string; headers: Record<string, string>; body: string },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = options
    const question = request(new URL(path, serving.url), { method, headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve({ status: answer.statusCode ?? 0, text })
    })
    question.once('error', reject)
    question.end(body)
  })
}

/** Sends and sends, until there is an answer; tells how much went out. */
function flood(url: URL, bytes: number, how: 'length' | 'chunked' = 'length') {
  return new Promise<{ status: number; bytes: number }>((resolve) => {
    const chunk = Buffer.alloc(64 * 1024, 0x20)
    let sent = 0
    let status = 0
    const question = request(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person}`,
        ...(how === 'length' ? { 'content-length': bytes } : {}),
      },
    })
    const push = () => {
      while (sent < bytes && !question.destroyed) {
        sent += chunk.length
        if (!question.write(chunk)) return
      }
    }
    question.on('drain', push)
    question.on('response', (answer) => {
      status = answer.statusCode ?? 0
      answer.resume()
    })
    // The server closes while we still send: that is the point.
    question.on('error', () => {})
    question.on('close', () => resolve({ status, bytes: sent }))
    push()
  })
}

/** Opens a connection, says something and waits until the server has had enough. */
async function drip(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('utf8')
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return heard
}

/** Reads requests line by line and makes each in a child of its own, as an agent's shell would. */
const guardedClient = `
  const { spawn } = require('node:child_process')
  const { createInterface } = require('node:readline')
  const child = \`
    let text = ''
    process.stdin.on('data', (chunk) => { text += chunk }).on('end', async () => {
      const { url, token, body } = JSON.parse(text)
      const headers = { authorization: 'Bearer ' + token }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      console.log(JSON.stringify([answer.status, (await answer.json()).code ?? null]))
    })\`
  createInterface({ input: process.stdin }).on('line', (line) => {
    const made = spawn(process.execPath, ['-e', child], { stdio: ['pipe', 'inherit', 'inherit'] })
    made.stdin.end(line)
  })
`

const keyProgram = fileURLToPath(new URL('../../bin/project-key.cjs', import.meta.url))

/** A client whose plugin asks by itself, as that of opencode does, before it starts anything. */
const hookingClient = `
  const { signRequest } = require(process.env.KEY)
  const [, , session] = process.argv
  const body = JSON.stringify({ event: 'session.created', session, directory: '/' })
  const about = ['/hooks/opencode', '', '', 'home']
  const signature = signRequest(process.env.TOKEN, about, Buffer.from(body))
  const headers = { authorization: signature.header, 'statewright-home': 'home' }
  fetch(new URL('/hooks/opencode', process.env.SERVER), { method: 'POST', headers, body })
    .then((answer) => console.log(answer.status))
  ${guardedClient}`

async function lineFrom(client: ChildProcess, request: object): Promise<unknown> {
  client.stdin?.write(`${JSON.stringify(request)}\n`)
  const [chunk] = await once(client.stdout ?? client, 'data')
  return JSON.parse(String(chunk))
}

/** A connection that says nothing. It may be ended at once, which is no fault. */
async function holdOpen(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Asks as a person on a connection that stays open. */
function healthOn(agent: Agent): Promise<{ status: number | undefined; isReused: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${person}` }
    const question = request(new URL('/api/runs', serving.url), { agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () =>
        resolve({ status: answer.statusCode, isReused: question.reusedSocket }),
      )
    })
    question.once('error', reject)
    question.end()
  })
}
