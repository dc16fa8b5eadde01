import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Caller } from '../base/caller.ts'
import { systemClock } from '../base/clock.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { saveDefinition } from '../runtime/rules/definitions.ts'
import { answerQuestion } from '../runtime/runs/change-run.ts'
import { startRun } from '../runtime/runs/start-run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { defaultSettings } from '../runtime/settings.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { Notifier, type NotifySettings } from './notifier.ts'
import { deliveryHeader, signatureHeader, signatureOf, timestampHeader } from './webhook.ts'

const ann: Caller = { tokenId: 'person_ann', kind: 'person', role: 'person', name: 'Ann' }
const agent: Caller = { tokenId: 'agent_1', kind: 'agent', role: 'agent', name: 'claude' }
const gate = {
  name: 'gate',
  initial: 'ask',
  states: {
    ask: {
      question: 'Sure?',
      answers: { yes: { next: null }, unsure: { next: null, action: 'notify_human' } },
    },
  },
}

interface HeardMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A receiver that hears, refuses, or takes the request and never answers. */
async function receiver() {
  const heard: HeardMessage[] = []
  const mood = { status: 200 as number | 'silent' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    heard.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
    if (mood.status === 'silent') return
    const location = mood.status === 302 ? { location: '/elsewhere' } : {}
    response.writeHead(mood.status, location).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}/hook`,
    heard,
    mood,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let folder: string
let store: Store
let runtime: Runtime
let hook: Awaited<ReturnType<typeof receiver>>
let now: number
let settings: NotifySettings
let failures: string[]
const open: Notifier[] = []

const clock = { ...systemClock, now: () => now }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'statewright-notify-'))
  store = await openStore({ folder, durability: 'crash' })
  now = 1_800_000_000_000
  runtime = createRuntime({ store, clock, settings: defaultSettings })
  const saved = await saveDefinition(runtime, ann, gate, {})
  if (!saved.ok) throw new Error(saved.error.message)
  hook = await receiver()
  settings = { webhook: { url: hook.url, secret: 'a secret' } }
  failures = []
})

afterEach(async () => {
  for (const notifier of open.splice(0)) await notifier.close()
  await store.close()
  await hook.close()
  rmSync(folder, { recursive: true, force: true })
})

function notifier(): Notifier {
  const made = new Notifier({
    store,
    clock,
    settings: () => settings,
    environment: { ...process.env, SECRET_KEY: 'do not tell' },
    url: 'http://127.0.0.1:4747',
    onFailed: ({ why }) => failures.push(why),
    // Only by hand: the clock of these tests stands still.
    everyMs: 2 ** 30,
  })
  open.push(made)
  return made
}

async function ask(): Promise<string> {
  const started = await startRun(runtime, agent, { process: 'gate', project: '/p' })
  if (!started.ok) throw new Error(started.error.message)
  const run = started.value.live.row.runId
  const done = await answerQuestion(runtime, agent, { run, answer: 'unsure' })
  if (!done.ok || done.value.answer.type !== 'pending_approval') throw new Error('it did not ask')
  return done.value.answer.approvalId
}

const heardTimes = (times: number) =>
  vi.waitFor(() => expect(hook.heard.length).toBe(times), { timeout: 20_000 })
const failedTimes = (times: number) =>
  vi.waitFor(() => expect(failures.length).toBe(times), { timeout: 20_000 })
const dueNow = async (channel: string) =>
  (await store.deliveries.due(channel, Number.MAX_SAFE_INTEGER, 10)).length
const nothingDue = (channel: string) =>
  vi.waitFor(async () => expect(await dueNow(channel)).toBe(0), { timeout: 20_000 })

describe('a webhook', () => {
  test('PR-12: is told once of what waits, signed, without the arguments', async () => {
    const approval = await ask()
    const teller = notifier()
    await heardTimes(1)
    await nothingDue('webhook')
    const [reported] = hook.heard
    const timestamp = String(reported?.headers[timestampHeader])
    expect(timestamp).toBe('1800000000')
    expect(reported?.headers[signatureHeader]).toBe(
      signatureOf('a secret', timestamp, reported?.body ?? ''),
    )
    expect(reported?.headers[deliveryHeader]).toBe(approval)
    expect(JSON.parse(reported?.body ?? '')).toMatchObject({
      type: 'approval_waiting',
      approval_id: approval,
      workflow: 'gate',
      project: '/p',
      kind: 'checkpoint',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4747\/runs\/run_/),
      text: expect.stringMatching(/^Waiting for you in gate, asked by claude: /),
    })
    now += 3_600_000
    teller.wake()
    await ask()
    teller.wake()
    await heardTimes(2)
  })

  test.each([500, 404, 302] as const)(
    'PR-12: that answers %s is told again, later and later, until it hears',
    async (status) => {
      hook.mood.status = status
      await ask()
      const teller = notifier()
      await failedTimes(1)
      for (const [index, wait] of [11_000, 22_000, 44_000].entries()) {
        now += wait - 1
        teller.wake()
        await teller.idle()
        expect(hook.heard.length).toBe(index + 1)
        now += 1
        teller.wake()
        await failedTimes(index + 2)
      }
      hook.mood.status = 200
      now += 300_000
      teller.wake()
      await heardTimes(5)
      await nothingDue('webhook')
      expect(new Set(hook.heard.map(({ headers }) => headers[deliveryHeader])).size).toBe(1)
    },
  )

  test('PR-12: that was dead when the server stopped hears of it after the start', async () => {
    hook.mood.status = 'silent'
    await ask()
    const first = notifier()
    await heardTimes(1)
    await first.close()
    expect(failures).toEqual([])
    hook.mood.status = 200
    await store.close()
    store = await openStore({ folder, durability: 'crash' })
    now += 11_000
    notifier()
    await heardTimes(2)
    await nothingDue('webhook')
  })

  test('PR-12: hears of each but once from several nodes', async () => {
    for (let n = 0; n < 5; n++) await ask()
    const nodes = [notifier(), notifier(), notifier()]
    for (const node of nodes) node.wake()
    await nothingDue('webhook')
    for (const node of nodes) await node.idle()
    expect(hook.heard.length).toBe(5)
  })
})

describe('a command', () => {
  test('PR-12: gets a sentence as its last argument and the notice on its input', async () => {
    const out = join(folder, 'told.json')
    const script = join(folder, 'tell.mjs')
    writeFileSync(
      script,
      `import { readFileSync, writeFileSync } from 'node:fs'
       const input = JSON.parse(readFileSync(0, 'utf8'))
       const { env, argv } = process
       writeFileSync(process.argv[2], JSON.stringify({ input, env, words: argv.slice(3) }))`,
    )
    settings = { command: [process.execPath, script, out, 'Title; rm -rf /'] }
    const approval = await ask()
    notifier()
    await nothingDue('command')
    const reported = JSON.parse(readFileSync(out, 'utf8'))
    expect(reported.input).toMatchObject({ type: 'approval_waiting', approval_id: approval })
    expect(reported.words).toEqual([
      'Title; rm -rf /',
      expect.stringMatching(/^Waiting for you in gate, asked by claude:/),
    ])
    expect(reported.env.SECRET_KEY).toBeUndefined()
    expect(reported.env.PATH).toBe(process.env.PATH)
  })

  test('PR-12: that fails is tried three times, one that is not there as well', async () => {
    settings = { command: ['/nonexistent/notify'] }
    await ask()
    const teller = notifier()
    for (const times of [1, 2, 3]) {
      await failedTimes(times)
      now += 300_000
      teller.wake()
    }
    await nothingDue('command')
    teller.wake()
    await teller.idle()
    expect(failures.length).toBe(3)
  })
})
