import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bin, patience, type Ready, Testbed } from '../packages/server/testing/testbed.ts'
import { atTerminal } from './support/terminal.ts'

let testbed: Testbed
beforeEach(() => {
  testbed = new Testbed()
})
afterEach(() => testbed.close())

const workflow = {
  id: 'ship',
  initial: 'ready',
  states: {
    ready: { on: { GO: { target: 'gone', requires_approval: true } } },
    gone: { type: 'final' },
  },
  meta: { approval_mode: 'ui', danger_level: 'dangerous' },
}

const asTester = (ready: Ready) => ({ STATEWRIGHT_TOKEN: ready.person_token ?? '' })

test('PE-3: the inbox asks for the PIN once, and again after a wrong one', patience, async () => {
  writeFileSync(join(testbed.project, 'ship.json'), JSON.stringify(workflow))
  const { ready } = await testbed.up('--test-person')
  const tester = asTester(ready)
  const push = ['workflow', 'push', 'ship.json']
  expect((await testbed.hosted(push, tester)).exit).toBe(0)
  const start = async () => {
    const run = (await testbed.hosted(['run', 'start', 'ship'], tester)).out.trim()
    expect((await testbed.hosted(['run', 'transition', run, 'GO'], tester)).exit).toBe(5)
    return run
  }
  const runs = [await start(), await start()]
  const where = { folder: testbed.folder, cwd: testbed.project, env: testbed.environment() }
  const command = `'${process.execPath}' '${bin}'`
  const screen = await atTerminal(
    `${command} login ${ready.login} && ${command} approval watch`,
    where,
    [
      { question: /Choose a PIN.*: $/, answer: '246800\r' },
      { question: /Once more: $/, answer: '246800\r' },
      { question: /\[q\]uit $/, answer: 'a' },
      { question: /Confirm with your PIN: $/, answer: '\r' },
      { question: /\[q\]uit $/, answer: 'a' },
      { question: /Confirm with your PIN: $/, answer: '135791\r' },
      { question: /\[q\]uit $/, answer: 'a' },
      { question: /Confirm with your PIN: $/, answer: '246800\r' },
      { question: / approved\s[\s\S]*\[q\]uit $/, answer: 'a' },
      { question: / approved\s/, answer: '\x03' },
    ],
  )
  expect(screen).toContain('pin_wrong: ')
  // They sit at a terminal already: only the PIN is missing.
  expect(screen).not.toContain('a terminal of your own')
  expect(screen).toContain('No PIN was typed')
  expect(screen.match(/Confirm with your PIN/g)).toHaveLength(3)
  for (const run of runs) {
    const shown = await testbed.hosted(['run', 'show', run], tester)
    expect(shown.out).toContain('is completed in gone')
  }
})

test('PE-3: twenty approvals in the inbox take one PIN', patience, async () => {
  const { ready } = await testbed.up('--test-person')
  const ask = async (path: string, body: object, method = 'POST') => {
    const answer = await fetch(`${ready.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ready.person_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { run_id: string } // As published.
  }
  await ask('/api/workflows/ship', workflow, 'PUT')
  const runs: string[] = []
  for (let made = 0; made < 20; made++) {
    const { run_id: run } = await ask('/api/runs', { workflow: 'ship' })
    await ask(`/api/runs/${run}/transition`, { event: 'GO' })
    runs.push(run)
  }
  const where = { folder: testbed.folder, cwd: testbed.project, env: testbed.environment() }
  const command = `'${process.execPath}' '${bin}'`
  const next = { question: / approved\s[\s\S]*\[q\]uit $/, answer: 'a' }
  const screen = await atTerminal(
    `${command} login ${ready.login} && ${command} approval watch`,
    where,
    [
      { question: /Choose a PIN.*: $/, answer: '246800\r' },
      { question: /Once more: $/, answer: '246800\r' },
      { question: /\[q\]uit $/, answer: 'a' },
      { question: /Confirm with your PIN: $/, answer: '246800\r' },
      ...Array.from({ length: 19 }, () => next),
      { question: / approved\s/, answer: '\x03' },
    ],
  )
  expect(screen.match(/Confirm with your PIN/g)).toHaveLength(1)
  expect(screen.match(/ approved\s/g)).toHaveLength(20)
  const isOver = async (run: string) =>
    (await testbed.hosted(['run', 'show', run], asTester(ready))).out.includes(
      'is completed in gone',
    )
  for (const run of runs) expect(await isOver(run)).toBe(true)
})
