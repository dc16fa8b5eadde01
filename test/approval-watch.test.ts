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

test('an approval is offered again after the PIN was left out', patience, async () => {
  writeFileSync(join(place.project, 'ship.json'), JSON.stringify(workflow))
  const { ready } = await place.up()
  expect((await place.hosted(['login', ready.login])).exit).toBe(0)
  expect((await place.hosted(['workflow', 'push', 'ship.json'])).exit).toBe(0)
  const run = (await place.hosted(['run', 'start', 'ship'])).out.trim()
  expect((await place.hosted(['run', 'transition', run, 'GO'])).exit).toBe(5)
  const watch = `'${process.execPath}' '${bin}' approval watch`
  const where = { folder: place.folder, cwd: place.project, env: place.environment() }
  const screen = await atTerminal(watch, where, [
    { question: /\[q\]uit $/, answer: 'a' },
    { question: /Choose a PIN.*: $/, answer: '\r' },
    { question: /Once more: $/, answer: '\r' },
    { question: /\[q\]uit $/, answer: 'a' },
    { question: /Choose a PIN.*: $/, answer: '2468\r' },
    { question: /Once more: $/, answer: '2468\r' },
    { question: / approved\s/, answer: '\x03' },
  ])
  expect(screen).toContain('step_up_required: ')
  expect(screen.match(/\[q\]uit/g)).toHaveLength(2)
  const shown = await place.hosted(['run', 'show', run])
  expect(shown.out).toContain('is completed in gone')
})
