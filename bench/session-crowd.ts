import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface CrowdServer {
  readonly url: string
  readonly token: string
  readonly pid: number
  readonly project: string
}

export interface CrowdResult {
  readonly events: number
  readonly tookMs: number
  /** How long each look at `/healthz` took while the crowd was at work. */
  readonly healthMs: readonly number[]
  /** Largest resident memory seen, where the system tells it. */
  readonly maxBytes: number | null
  readonly failed: number
}

/** A session that speaks in pieces, reads a file, and speaks again. */
const script = {
  turns: [
    [...words(30), { tool: 'read_file', arguments: { path: 'note.txt' } }],
    [...words(30), { tool: 'read_file', arguments: { path: 'note.txt' } }],
    words(30),
  ],
}

function words(count: number): object[] {
  return Array.from({ length: count }, () => [
    { text: 'word after word ' },
    { delay_ms: 20 },
  ]).flat()
}

/** Runs so many scripted sessions at once, and looks how the server feels meanwhile. */
export async function runCrowd(server: CrowdServer, sessions: number): Promise<CrowdResult> {
  const ids = await inLanes(sessions, 20, async () => {
    const body = { harness: 'scripted', projectPath: server.project, options: { script } }
    return textOf(await ask(server, 'POST', '/api/sessions', body), 'sessionId')
  })
  const healthMs: number[] = []
  let maxBytes: number | null = null
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const before = performance.now()
      await (await fetch(`${server.url}/healthz`)).arrayBuffer()
      healthMs.push(performance.now() - before)
      maxBytes = larger(maxBytes, memoryOf(server.pid))
      await sleep(10)
    }
  })()
  const before = performance.now()
  await inLanes(ids.length, 20, async (at) => {
    await ask(server, 'POST', `/api/sessions/${ids[at]}/input`, { text: 'go' })
  })
  await Promise.all(ids.map((id) => untilReady(server, id)))
  const tookMs = performance.now() - before
  isOver = true
  await watching
  let events = 0
  let failed = 0
  for (const id of ids) {
    const attached = await ask(server, 'GET', `/api/sessions/${id}`)
    events += Number(textOf(attached, 'lastEventId'))
    if (textOf(attached, 'kind') !== 'ready' || hasError(attached)) failed += 1
  }
  return { events, tookMs, healthMs, maxBytes, failed }
}

/** Looks now and then, each session at its own time: following all would be a load of its own. */
async function untilReady(server: CrowdServer, id: string | undefined): Promise<void> {
  await sleep(1500 + Math.random() * 1000)
  for (;;) {
    const attached = await ask(server, 'GET', `/api/sessions/${id}`)
    const kind = textOf(attached, 'kind')
    if (kind === 'ready' || kind === 'error' || kind === 'stopped') return
    await sleep(1000 + Math.random() * 1000)
  }
}

async function ask(
  { url, token }: CrowdServer,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const value: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
  return value
}

async function inLanes<Value>(
  count: number,
  lanes: number,
  work: (at: number) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const at = next++
      values[at] = await work(at)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return values
}

function textOf(value: unknown, key: string): string {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return String(found)
}

function hasError(value: unknown): boolean {
  return textOf(value, 'lastError') !== 'null'
}

function larger(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.max(left, right)
}

function memoryOf(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}
