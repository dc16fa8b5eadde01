import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Agent } from './agent.ts'
import { probesOfCalls } from './probes/calls.ts'
import { probesOfFiles } from './probes/files.ts'
import { probesOfPeople } from './probes/people.ts'
import type { Probe } from './probes/probe.ts'
import { probesOfProcesses } from './probes/processes.ts'
import { answerAt, levels, rows } from './table.ts'
import { missing, World } from './world.ts'

const probes: Readonly<Record<string, Probe>> = {
  ...probesOfCalls,
  ...probesOfFiles,
  ...probesOfProcesses,
  ...probesOfPeople,
}

const world = new World()
afterAll(() => world.close())

for (const level of levels) {
  const why = missing[level]
  if (why !== undefined) process.stderr.write(`skipped: what holds at ${level}. ${why}\n`)
  describe.skipIf(why !== undefined)(`what holds at ${level}`, () => {
    for (const row of rows) {
      const { threat, proof } = row
      if (typeof proof !== 'string') continue
      test(`SH-14, SH-18: ${threat}: ${answerAt(row, level)}`, { timeout: 60_000 }, async () => {
        const probe = probes[proof]
        if (probe === undefined) throw new Error(`there is no probe ${proof}`)
        expect(await probe(world, level)).toBe(answerAt(row, level))
      })
    }
  })
}

describe.skipIf(missing.L1 !== undefined || missing.L2 !== undefined)('a sandbox at L2', () => {
  test('SH-14: runs for a user who cannot reach what it has to hide', async () => {
    const agent = await Agent.start(world, 'L2', { state: { sandbox: 'required' } })
    const made = join(world.project, 'made-in-sandbox')
    const script = `echo x > ${made}; cat ${world.data}/*.db; echo y > ~/made; echo over`
    expect(await agent.program(script)).toMatchObject({ code: 0, stdout: 'over\n' })
    expect(existsSync(made)).toBe(true)
    expect(existsSync(join(agent.home, 'made'))).toBe(false)
  })
})

test('every probe is of a row', () => {
  const named = rows.flatMap(({ proof }) => (typeof proof === 'string' ? [proof] : []))
  expect(Object.keys(probes).sort()).toEqual(named.sort())
})
