import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bin, Place, patience } from './server-kit.ts'
import { atTerminal } from './support/terminal.ts'

const place = new Place()
afterAll(() => place.close())

const workflow = {
  id: 'ship',
  initial: 'ready',
  states: {
    ready: { on: { GO: { target: 'gone', requires_approval: true } } },
    gone: { type: 'final' },
  },
  meta: { approval_mode: 'ui', danger_level: 'dangerous' },
}

test('PE-3: the inbox asks for the PIN once, and again after a wrong one', patience, async () => {
  writeFileSync(join(place.project, 'ship.json'), JSON.stringify(workflow))
  const { ready } = await place.up('--test-person')
  const asTester = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  const push = ['workflow', 'push', 'ship.json']
  expect((await place.hosted(push, asTester)).exit).toBe(0)
  const start = async () => {
    const run = (await place.hosted(['run', 'start', 'ship'], asTester)).out.trim()
    expect((await place.hosted(['run', 'transition', run, 'GO'], asTester)).exit).toBe(5)
    return run
  }
  const runs = [await start(), await start()]
  const where = { folder: place.folder, cwd: place.project, env: place.environment() }
  const command = `'${process.execPath}' '${bin}'`
  const screen = await atTerminal(
    `${command} login ${ready.login} && ${command} approval watch`,
    where,
    [
      { question: /Choose a PIN.*: $/, answer: '246800\r' },
      { question: /Once more: $/, answer: '246800\r' },
      { question: /\[q\]uit $/, answer: 'a' },
      { question: /Confirm with your PIN: $/, answer: '135791\r' },
      { question: /\[q\]uit $/, answer: 'a' },
      { question: /Confirm with your PIN: $/, answer: '246800\r' },
      { question: / approved\s[\s\S]*\[q\]uit $/, answer: 'a' },
      { question: / approved\s/, answer: '\x03' },
    ],
  )
  expect(screen).toContain('pin_wrong: ')
  expect(screen.match(/Confirm with your PIN/g)).toHaveLength(2)
  for (const run of runs) {
    const shown = await place.hosted(['run', 'show', run], asTester)
    expect(shown.out).toContain('is completed in gone')
  }
})
