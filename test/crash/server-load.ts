import { randomUUID } from 'node:crypto'

/** What a caller was told before the server died: this much must still be there afterwards. */
export interface Acknowledged {
  readonly runId: string
  readonly calls: Set<string>
  transitions: number
}

export interface ServerAddress {
  readonly url: string
  readonly token: string
}

export const crashWorkflow = {
  id: 'crash',
  initial: 'one',
  policy: {
    allow: [{ capability: 'read', rate_limit: { max_calls: 100_000, window_seconds: 3600 } }],
  },
  states: {
    one: { allowed_tools: ['Read'], on: { NEXT: 'two', STAY: 'one' } },
    two: { allowed_tools: ['Read', 'Edit'], on: { NEXT: 'one' } },
    done: { type: 'final' },
  },
} as const

/** One request; undefined when no answer came, which tells nothing about what was committed. */
export async function send(
  server: ServerAddress,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Readonly<Record<string, unknown>> } | undefined> {
  try {
    const answer = await fetch(`${server.url.replace(/\/$/, '')}${path}`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    const json = (await answer.json()) as Record<string, unknown> // Our API answers with objects.
    return { status: answer.status, body: json }
  } catch {
    return undefined
  }
}

/** Calls and transitions one after another on one run until told to stop or the server is gone. */
export async function work(
  servers: readonly ServerAddress[],
  reported: Acknowledged,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const server = servers[turn % servers.length]
    if (server === undefined) return
    const callId = randomUUID()
    const run = reported.runId
    const input = { file_path: 'a.ts' }
    const checked = await send(server, 'POST', '/api/check', {
      run,
      tool: 'Read',
      input,
      call_id: callId,
    })
    if (checked?.status === 200 && checked.body.decision === 'allow') reported.calls.add(callId)
    if (checked === undefined) return
    if (turn % 5 !== 4) continue
    const moved = await send(server, 'POST', `/api/runs/${run}/transition`, { event: 'NEXT' })
    if (moved?.status === 200) reported.transitions += 1
    if (moved === undefined) return
  }
}

/** Entries of a run, all pages. */
export async function entriesOf(
  server: ServerAddress,
  runId: string,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let after = 0; ; ) {
    const page = await send(server, 'GET', `/api/runs/${runId}/entries?after=${after}&limit=1000`)
    const entries = (page?.body.entries ?? []) as Record<string, unknown>[] // The API's own shape.
    all.push(...entries)
    if (entries.length === 0 || page?.body.next === null) return all
    after = Number(entries.at(-1)?.seq)
  }
}

/** What is wrong with a run after a crash, in words; empty when all is well. */
export async function faultsOf(server: ServerAddress, reported: Acknowledged): Promise<string[]> {
  const faults: string[] = []
  const entries = await entriesOf(server, reported.runId)
  const seen = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type !== 'call_decided' || entry.decision !== 'allow') continue
    const id = String(entry.call_id)
    seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  for (const id of reported.calls)
    if (!seen.has(id)) faults.push(`${reported.runId}: call ${id} was lost`)
  for (const [id, times] of seen) {
    if (times > 1) faults.push(`${reported.runId}: call ${id} stands ${times} times`)
  }
  const moves = entries.filter((entry) => entry.type === 'transitioned').length
  if (moves < reported.transitions) {
    faults.push(
      `${reported.runId}: ${reported.transitions} transitions were told, ${moves} are there`,
    )
  }
  return [...faults, ...(await verifyFaults(server, reported.runId))]
}

/** What `run verify` has to say against a run. */
export async function verifyFaults(server: ServerAddress, runId: string): Promise<string[]> {
  const verified = await send(server, 'GET', `/api/runs/${runId}/verify`)
  return verified?.body.ok === true ? [] : [`${runId}: ${JSON.stringify(verified?.body)}`]
}
