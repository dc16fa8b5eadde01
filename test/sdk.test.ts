import events from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from 'ai'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { serve } from '../packages/server/src/app/serve.ts'
import { defaultSettings } from '../packages/server/src/runtime/settings.ts'
import {
  connectPeople,
  connectStatewright,
  createStatewright,
  type EmbeddedStatewright,
  guardTools,
  type RemoteOptions,
  ToolDenied,
  type WaitOptions,
} from '../packages/server/src/sdk/sdk.ts'
import { openStore } from '../packages/server/src/store/open.ts'

const careful = {
  id: 'careful',
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['read_file'], on: { READY: 'changing' } },
    changing: {
      allowed_tools: ['write_file'],
      on: { DONE: { target: 'done', requires_approval: true } },
    },
    done: { type: 'final' },
  },
  policy: { ask: [{ capability: 'write' }] },
  meta: { approval_mode: 'ui' },
}

const once = {
  id: 'once',
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['read_file'], max_iterations: 1, on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

const gate = {
  name: 'gate',
  initial: 'sure',
  states: { sure: { question: 'Sure?', answers: { yes: { next: null, action: 'complete' } } } },
}

/** Opens one and says how it is closed; both must behave alike. */
const doors: readonly [string, () => Promise<EmbeddedStatewright>][] = [
  ['embedded', () => createStatewright()],
  ['on a server', connected],
]

async function connected(): Promise<EmbeddedStatewright & RemoteOptions> {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-sdk-'))
  const store = await openStore({ folder, durability: 'crash' })
  const serving = await serve({ store, settings: defaultSettings, port: 0 })
  if (!serving.ok) throw new Error(serving.error.message)
  const { url } = serving.value
  const token = await serving.value.mintTestPerson()
  return {
    url,
    token,
    ...connectStatewright({ url, token }),
    people: connectPeople({ url, token }),
    close: async () => {
      await serving.value.close()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describe.each(doors)('the SDK, %s', (_, open) => {
  let statewright: EmbeddedStatewright
  beforeAll(async () => {
    statewright = await open()
    for (const definition of [careful, once, gate]) await statewright.people.save(definition)
  }, 60_000)
  afterAll(() => statewright.close())

  const executed: string[] = []
  const tools = {
    read_file: tool({
      inputSchema: z.object({ file_path: z.string() }),
      execute: async ({ file_path }) => `text of ${file_path}`,
    }),
    write_file: tool({
      inputSchema: z.object({ file_path: z.string(), content: z.string() }),
      execute: async ({ content }) => {
        executed.push(content)
        if (content === 'fails') throw new Error('the disk is full')
        return 'written'
      },
    }),
  }
  const call = (toolCallId: string) => ({ toolCallId, messages: [], context: {} })

  test('WF-14: a denied tool does not run, and the model is told why', async () => {
    const run = await statewright.start({ workflow: 'careful' })
    const guarded = guardTools(tools, run)
    const input = { file_path: 'a', content: 'too early' }
    const writing = Promise.resolve(guarded.write_file.execute?.(input, call('c1')))
    const denied = await writing.then(
      () => undefined,
      (fault: unknown) => fault,
    )
    if (!(denied instanceof ToolDenied)) throw new Error('it was let through')
    expect(denied.message).toContain('tool_not_allowed')
    expect(denied.message).toContain('READY -> changing')
    expect(executed).toEqual([])
    const read = guarded.read_file.execute?.({ file_path: 'a' }, call('c2'))
    expect(await read).toBe('text of a')
  })

  test('PO-7: an ask waits for the person and then runs once', { timeout: 30_000 }, async () => {
    const run = await statewright.start({ workflow: 'careful' })
    await run.transition('READY')
    const guarded = guardTools(tools, run)
    const writing = guarded.write_file.execute?.({ file_path: 'a', content: 'asked' }, call('c3'))
    await expect.poll(() => waiting(run.id), { timeout: 10_000 }).toHaveLength(1)
    expect(executed).not.toContain('asked')
    const [approval] = await waiting(run.id)
    await statewright.people.approve(approval?.approvalId ?? '', 'go on')
    expect(await writing).toBe('written')
    expect(executed.filter((content) => content === 'asked')).toHaveLength(1)

    const again = guardTools(tools, run, { waitMs: 0 })
    const refused = again.write_file.execute?.({ file_path: 'a', content: 'other' }, call('c4'))
    await expect(refused).rejects.toThrow('approval_required')
    expect(executed).not.toContain('other')
  })

  test('WF-8, WF-32a: a model that uses one id twice makes two calls', async () => {
    const guarded = guardTools(tools, await statewright.start({ workflow: 'once' }))
    const read = async () => guarded.read_file.execute?.({ file_path: 'a' }, call('same'))
    expect(await read()).toBe('text of a')
    await expect(read()).rejects.toThrow('iterations_exhausted')
  })

  const waiting = async (runId: string) =>
    (await statewright.people.approvals()).filter((one) => one.runId === runId)

  test('WF-22: a transition may wait, and a rejection leaves the state', async () => {
    const run = await statewright.start({ workflow: 'careful' })
    expect(await run.transition('READY')).toMatchObject({ status: 'running', state: 'changing' })
    const request = await run.transition('DONE')
    if (request.status !== 'pending_approval') throw new Error('nobody was asked')
    expect(await run.approval(request.approvalId)).toBe('waiting')
    await statewright.people.reject(request.approvalId, 'not yet')
    expect(await run.approval(request.approvalId)).toBe('rejected')
    expect(await run.state()).toMatchObject({ state: 'changing', status: 'running' })
  })

  test('a run of a definition that nobody saved; what was asked tells how it ended', async () => {
    const run = await statewright.start({ definition: { ...careful, id: 'unsaved' } })
    await run.transition('READY')
    const request = await run.transition('DONE')
    if (request.status !== 'pending_approval') throw new Error('nobody was asked')
    await statewright.people.approve(request.approvalId)
    expect(await run.approval(request.approvalId)).toBe('approved')
    expect((await run.state()).status).toBe('completed')
    await expect(run.approval('apr_none')).rejects.toMatchObject({ code: 'unknown_approval' })
  })

  test('WF-22: an approval that nobody answered in time is told to be expired', async () => {
    const go = { target: 'b', requires_approval: true, approval_timeout_ms: 1000 }
    const states = { a: { on: { GO: go } }, b: { type: 'final' } }
    const meta = { approval_mode: 'ui' }
    const run = await statewright.start({ definition: { id: 'late', initial: 'a', states, meta } })
    const request = await run.transition('GO')
    if (request.status !== 'pending_approval') throw new Error('nobody was asked')
    expect(await run.waitForApproval(request.approvalId, { timeoutMs: 60_000 })).toBe('expired')
  })

  test('PO-7: who waits for an approval is told how it ends, or that it still waits', async () => {
    const run = await statewright.start({ workflow: 'careful' })
    await run.transition('READY')
    const request = await run.transition('DONE')
    if (request.status !== 'pending_approval') throw new Error('nobody was asked')
    const wait = (options: WaitOptions) => run.waitForApproval(request.approvalId, options)
    expect(await wait({ timeoutMs: 0 })).toBe('waiting')
    const stop = new AbortController()
    const stopped = wait({ signal: stop.signal })
    stop.abort()
    expect(await stopped).toBe('waiting')
    const both = [wait({}), wait({})]
    await statewright.people.reject(request.approvalId, 'not yet')
    expect(await Promise.all(both)).toEqual(['rejected', 'rejected'])
    expect(await wait({})).toBe('rejected')
    const nobodys = run.waitForApproval('apr_none')
    await expect(nobodys).rejects.toMatchObject({ code: 'unknown_approval' })
  })

  test('a refusal has its code; a process is answered', async () => {
    const run = await statewright.start({ workflow: 'careful' })
    await expect(run.transition('NO_SUCH')).rejects.toMatchObject({ code: 'unknown_event' })
    await expect(statewright.start({ workflow: 'none' })).rejects.toMatchObject({
      code: 'unknown_workflow',
    })
    await expect(
      statewright.people.save({ id: 'x', initial: 'y', states: {} }),
    ).rejects.toMatchObject({
      code: 'definition_invalid',
    })
    const request = await statewright.start({ process: 'gate' })
    await expect(request.answer('perhaps')).rejects.toMatchObject({ code: 'unknown_answer' })
    await request.answer('yes')
    expect((await request.state()).status).toBe('completed')
  })
})

describe('the SDK without the server that it needs', () => {
  const token = 'sw_agent_none'
  const portOf = async (server: Server, then: 'open' | 'closed'): Promise<number> => {
    await events.once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo // It listens on TCP.
    if (then === 'closed') await events.once(server.close(), 'close')
    return port
  }

  test('it says with a code that nobody answers, where, and what to do', async () => {
    const port = await portOf(createServer(), 'closed')
    const url = `http://127.0.0.1:${port}`
    const statewright = connectStatewright({ url: `${url}/`, token })
    const problem = {
      name: 'StatewrightError',
      code: 'server_unreachable',
      message: `No server answers at ${url} (connect ECONNREFUSED 127.0.0.1:${port}).`,
      where: url,
      next: 'start it with "statewright up", or check url.',
    }
    await expect(statewright.start({ workflow: 'careful' })).rejects.toMatchObject(problem)
    let hasRun = false
    const write = tool({
      inputSchema: z.object({}),
      execute: async () => {
        hasRun = true
      },
    })
    const { write_file } = guardTools({ write_file: write }, statewright.run('run_1'))
    const called = write_file.execute?.({}, { toolCallId: 'c1', messages: [], context: {} })
    await expect(called).rejects.toMatchObject(problem)
    expect(hasRun).toBe(false)
  })

  test('it says so of an address that is none, and of another server', async () => {
    const next = 'write it as http://127.0.0.1:4747.'
    const wrong = () => connectStatewright({ url: 'localhost:4747', token })
    expect(wrong).toThrow(expect.objectContaining({ code: 'usage', where: 'url', next }))
    const other = createServer((_, response) => response.end('<html>'))
    const url = `http://127.0.0.1:${await portOf(other, 'open')}`
    const started = connectStatewright({ url, token }).start({ workflow: 'careful' })
    await expect(started).rejects.toMatchObject({
      code: 'server_unreachable',
      where: url,
      message: expect.stringContaining('cannot prove that it is the Statewright server'),
    })
    other.close()
  })
})

test('an agent that may not load a workflow is told who may let it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-sdk-'))
  const store = await openStore({ folder, durability: 'crash' })
  const settings = { ...defaultSettings, strict: true }
  const serving = await serve({ store, settings, port: 0 })
  if (!serving.ok) throw new Error(serving.error.message)
  const { url } = serving.value
  const person = connectPeople({ url, token: await serving.value.mintTestPerson() })
  await person.save(careful)
  const minted = await fetch(`${url}api/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await serving.value.mintTestPerson()}`,
      'content-type': 'application/json',
    },
    body: '{"kind":"agent"}',
  })
  const { token } = (await minted.json()) as { token: string } // Tried by the test of tokens.
  const started = connectStatewright({ url, token }).start({ workflow: 'careful' })
  await expect(started).rejects.toMatchObject({
    code: 'locked',
    next: 'let a person add careful to agent_may_load in statewright.yaml (now none).',
  })
  await serving.value.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

test('PO-7: an approval is heard of over the feed, also when its connection is cut', async () => {
  const server = await connected()
  const relay = await feedRelay(server.url)
  // It stands on another port than the server, as a forwarded one does (SH-20b).
  vi.stubEnv('STATEWRIGHT_TRUST_URL', '1')
  const agent = connectStatewright({ url: relay.url, token: server.token })
  const run = await agent.start({ definition: careful })
  await run.transition('READY')
  const request = await run.transition('DONE')
  if (request.status !== 'pending_approval') throw new Error('nobody was asked')
  const ended = run.waitForApproval(request.approvalId)
  await expect.poll(relay.feeds, { timeout: 30_000 }).toBe(1)
  relay.cut()
  await expect.poll(relay.feeds, { timeout: 30_000 }).toBe(2)
  await server.people.approve(request.approvalId)
  expect(await ended).toBe('approved')
  vi.unstubAllEnvs()
  await relay.close()
  await server.close()
})

/** Stands between a program and the server, and cuts every connection when it is told to. */
async function feedRelay(target: string) {
  const { host, hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let feeds = 0
  const relay = createRelay((client) => {
    const upstream = connect(Number(port), hostname)
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (text.startsWith('GET /api/feed')) feeds++
      // The server answers on its own name only.
      upstream.write(text.replace(/^host: .*$/im, `host: ${host}`), 'latin1')
    })
    upstream.pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  relay.listen(0, '127.0.0.1')
  await events.once(relay, 'listening')
  return {
    // Where a server listens it is no string.
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    feeds: () => feeds,
    cut,
    close: async () => {
      cut()
      await new Promise((resolve) => relay.close(resolve))
    },
  }
}

test('tools of any version of the AI SDK keep their types', async () => {
  const statewright = await createStatewright()
  await statewright.people.save(careful)
  const run = await statewright.start({ workflow: 'careful' })
  // As AI SDK 5 writes them: what they get knows nothing of a context.
  const read_file = {
    description: 'Reads a file.',
    inputSchema: z.object({ file_path: z.string() }),
    execute: async (
      { file_path }: { file_path: string },
      { toolCallId }: { toolCallId: string; messages: readonly object[] },
    ) => `${toolCallId}: ${file_path}`,
  }
  const tools: { read_file: typeof read_file } = guardTools({ read_file }, run)
  const read = tools.read_file.execute({ file_path: 'a' }, { toolCallId: 'c1', messages: [] })
  const text: string = await read
  expect(text).toBe('c1: a')
  await statewright.close()
})

test('a tool that runs elsewhere cannot be guarded, and that is said', async () => {
  const statewright = await createStatewright()
  await statewright.people.save(careful)
  const run = await statewright.start({ workflow: 'careful' })
  const remote = tool({ inputSchema: z.object({}), outputSchema: z.string() })
  expect(() => guardTools({ remote }, run)).toThrow('cannot be guarded')
  await statewright.close()
})
