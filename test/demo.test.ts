import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { startDemo } from '../packages/server/src/demo/start-demo.ts'
import { DashboardWorld } from '../packages/server/testing/dashboard/world.ts'
import { patience, stopped, Testbed } from '../packages/server/testing/testbed.ts'
import { demoPicture } from '../scripts/demo-picture.ts'

const testbed = new Testbed()
afterAll(() => testbed.close())

test('the demo shows a denial, a detour, evidence, a fork and an approval', patience, async () => {
  const { exit, out, talk } = await testbed.run(['demo', '--fast'])
  expect([exit, talk]).toEqual([0, ''])
  for (const code of ['tool_not_allowed', 'shell_write', 'edit_too_large', 'evidence_missing']) {
    expect(out).toContain(code)
  }
  expect(out).toContain('[STATEWRIGHT INTERRUPT] migrations/007.sql was changed')
  expect(out).toContain('(lint) LINTED -> linted')
  expect(out).toContain('The run is completed in done: 6 calls let through, 6 denied.')
  expect(out).not.toContain('\u001b[')
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  // The picture of the README is drawn from it: `node scripts/demo-picture.ts`.
  const picture = readFileSync(new URL('../docs/images/demo.svg', import.meta.url), 'utf8')
  expect(demoPicture(out)).toBe(picture)
})

test('a server begins to play it when it starts, and again when asked', patience, async () => {
  const { ready, child } = await testbed.up('--test-person', '--demo')
  const headers = { authorization: `Bearer ${ready.person_token}` }
  const ask = async (path: string, method = 'GET', body?: string) => {
    const answer = await fetch(`${ready.url}${path}`, {
      method,
      headers,
      ...(body ? { body } : {}),
    })
    return answer.json()
  }
  const denials = async () => {
    const { runs } = (await ask('/api/runs')) as { runs: { workflow: string; denials: number }[] }
    expect(runs).toMatchObject([{ workflow: 'demo-bugfix' }])
    return runs[0]?.denials
  }
  await expect.poll(denials, { timeout: 60_000 }).toBeGreaterThan(0)
  const second = (await ask('/api/demo', 'POST', '{}')) as { run_id: string }
  expect(second.run_id).toMatch(/^run_/)
  await stopped(child, 'SIGTERM')
})

test('it plays on until a person is asked', async () => {
  const world = await DashboardWorld.open()
  const person = { tokenId: 'person_1', kind: 'person', name: 'ann', role: 'person' } as const
  const { signal: stop } = new AbortController()
  const { guard } = world.running.serving
  const started = await startDemo(guard, person, { stop, pauseMs: 0 })
  if (!started.ok) throw new Error(started.error.message)
  await started.value.played
  expect(await world.person('GET', '/api/approvals?status=waiting')).toMatchObject({
    approvals: [{ message: 'The fix is linted and tested. Ship it?' }],
  })
  const { runs } = await world.person('GET', '/api/runs')
  expect(runs).toMatchObject([{ workflow: 'demo-bugfix', status: 'waiting', denials: 5 }])
  await world.close()
})
