import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience } from '../../packages/server/testing/testbed.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

let nodes: TwoNodes
const [here, there] = [0, 1]

const open = { id: 'open', initial: 'a', states: { a: { on: { END: 'b' } }, b: { type: 'final' } } }

beforeAll(async () => {
  nodes = await startTwoNodes()
  await nodes.ask(here, 'PUT', '/api/workflows/open', nodes.person, open)
}, patience.timeout)

afterAll(() => nodes?.close(), patience.timeout)

function save(name: string, policy: object) {
  return nodes.ask(here, 'PUT', `/api/policies/${name}`, nodes.person, { policy })
}

async function start(): Promise<string> {
  const body = { workflow: 'open' }
  return (await nodes.ask(there, 'POST', '/api/runs', nodes.agent, body)).run_id
}

async function check(call: object): Promise<string> {
  const answer = await nodes.ask(there, 'POST', '/api/check', nodes.agent, call)
  return answer.code ?? answer.decision
}

describe('a policy saved on one node', patience, () => {
  test('PO-1d: denies the very next call on the other, with a run and without', async () => {
    const run = await start()
    for (let round = 0; round < 15; round++) {
      const call = { tool: `mcp__paid${round}__look`, input: {} }
      const unbound = { ...call, session: 'has no run' }
      expect([await check({ ...call, run }), await check(unbound)]).toEqual(['allow', 'allow'])
      const capability = `mcp:paid${round}:look`
      await save(`no-${round}`, { deny: [{ capability }] })
      const why = await nodes.ask(there, 'POST', '/api/policies/explain', nodes.agent, {
        capability,
      })
      expect(why.decision).toBe('deny')
      await save(`nor-${round}`, { deny: [{ capability: 'mcp:other:look' }] })
      expect([await check({ ...call, run }), await check(unbound)]).toEqual([
        'policy_denied',
        'policy_denied',
      ])
    }
    const verified = await nodes.ask(here, 'GET', `/api/runs/${run}/verify`, nodes.person)
    expect(verified).toMatchObject({ ok: true })
  })

  test('PO-1d, PO-5: a rate of 100 saved under load lets 100 calls pass and no more', async () => {
    const runs = await Promise.all(Array.from({ length: 16 }, start))
    for (let round = 0; round < 3; round++) {
      const tool = `mcp__slow${round}__look`
      let savedAt = Number.POSITIVE_INFINITY
      let passed = 0
      let denied = 0
      const callers = runs.map(async (run) => {
        while (denied < 200) {
          const isLate = performance.now() > savedAt
          const code = await check({ run, tool, input: {} })
          if (code === 'rate_exceeded') denied += 1
          else if (isLate && code === 'allow') passed += 1
          else expect(code).toBe('allow')
        }
      })
      const rate_limit = { max_calls: 100, window_seconds: 3600 }
      await save(`slow-${round}`, {
        allow: [{ capability: `mcp:slow${round}:look`, rate_limit }],
      })
      savedAt = performance.now()
      await Promise.all(callers)
      expect(passed).toBeLessThanOrEqual(100)
      const why = await nodes.ask(there, 'POST', '/api/policies/explain', nodes.agent, {
        capability: `mcp:slow${round}:look`,
      })
      expect(why.usage).toMatchObject({ used: 100, max: 100 })
    }
  })
})
