import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience } from '../../packages/server/testing/testbed.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

const caller = fileURLToPath(new URL('./paying-caller.mjs', import.meta.url))
let nodes: TwoNodes
let person: string
let agent: string

const limited = {
  name: 'limited',
  initial: 'a',
  states: { a: { question: 'Done?', answers: { yes: { next: null } } } },
  policy: {
    allow: [
      { capability: 'bash', rate_limit: { max_calls: 100, window_seconds: 3600 } },
      {
        capability: 'mcp:paid:*',
        budget_limit: { max_usd: 5, period: 'monthly' },
        reserve_usd: 0.1,
      },
    ],
  },
}

beforeAll(async () => {
  nodes = await startTwoNodes()
  ;({ person, agent } = nodes)
  await nodes.ask(0, 'POST', '/api/processes', person, limited)
}, patience.timeout)

afterAll(() => nodes?.close(), patience.timeout)

function startRuns(count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const run = await nodes.ask(n % 2, 'POST', '/api/runs', agent, { process: 'limited' })
      return run.run_id
    }),
  )
}

describe('two nodes on one Postgres', patience, () => {
  test('PO-5: of 64 callers at once exactly 100 calls pass a limit of 100', async () => {
    const runs = await startRuns(64)
    const decided = await Promise.all(
      runs.map(async (run, n) => {
        const codes: string[] = []
        for (let call = 0; call < 3; call++) {
          // Each caller goes to both nodes in turn: the counter is one all the same.
          const body = { run, tool: 'Bash', input: { command: `echo ${call}` } }
          const answer = await nodes.ask((n + call) % 2, 'POST', '/api/check', agent, body)
          codes.push(answer.code ?? answer.decision)
        }
        return codes
      }),
    )
    const all = decided.flat()
    expect(all.filter((code) => code === 'allow')).toHaveLength(100)
    expect(all.filter((code) => code === 'rate_exceeded')).toHaveLength(64 * 3 - 100)
    for (const node of [0, 1]) {
      const why = await nodes.ask(node, 'POST', '/api/policies/explain', agent, {
        run: runs[0],
        capability: 'bash',
      })
      expect(why.usage).toMatchObject({ used: 100, max: 100, free: false })
    }
    const entries = await nodes.ask(0, 'GET', `/api/runs/${runs[0]}/verify`, person)
    expect(entries).toMatchObject({ ok: true })
  })

  test('PO-6: 64 callers at 0.10 USD never pass 5 USD, also when some are killed', async () => {
    const runs = await startRuns(64)
    await payOnce(runs[0] ?? '')
    const children = Array.from({ length: 8 }, (_, n) => {
      const own = runs.slice(n * 8, n * 8 + 8)
      const args = [caller, nodes.urls[n % 2] ?? '', agent, '3', ...own]
      return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    })
    const paid = new Set<string>()
    const ends = children.map((child, n) => follow(child, paid, { dies: n % 3 === 0 }))
    const seen = watchUsage(runs[0] ?? '')
    await Promise.all(ends)
    const max = await seen.stop()
    expect(max).toBeLessThanOrEqual(5)
    expect(max).toBeGreaterThan(4)
    // Each was let through at 0.10 USD; what a killed caller had is still held back for it.
    expect(paid.size).toBeLessThan(50)
    const used = await usage(runs[0] ?? '')
    expect(used).toBeLessThanOrEqual(5)
    expect(used).toBeGreaterThanOrEqual(paid.size / 10 - 1e-9)
  })
})

/** Until a tool has told what it costs, its calls run one after the other (PO-6a). */
async function payOnce(run: string): Promise<void> {
  const call = { run, call_id: 'first' }
  const body = { ...call, tool: 'mcp__paid__look', input: {} }
  await nodes.ask(0, 'POST', '/api/check', agent, body)
  const result = { ...call, exit: 'success', cost_usd: 0.1 }
  await nodes.ask(0, 'POST', '/api/result', agent, result)
}

async function usage(run: string): Promise<number> {
  const body = { run, capability: 'mcp:paid:look' }
  return (await nodes.ask(0, 'POST', '/api/policies/explain', agent, body)).usage.used
}

/** Collects what a caller was let make; one that is to die is killed after its second call. */
function follow(
  child: ChildProcess,
  paid: Set<string>,
  { dies }: { dies: boolean },
): Promise<void> {
  let rest = ''
  let reported = 0
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) paid.add(line)
    reported += lines.length
    if (dies && reported >= 2) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.once('close', () => resolve()))
}

/** Looks again and again while callers are at work; gives back the most that was ever used. */
function watchUsage(run: string): { stop(): Promise<number> } {
  let isOver = false
  let max = 0
  const looking = (async () => {
    while (!isOver) max = Math.max(max, await usage(run))
    return Math.max(max, await usage(run))
  })()
  return {
    stop() {
      isOver = true
      return looking
    },
  }
}
