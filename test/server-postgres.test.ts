import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../packages/server/testing/postgres.ts'
import {
  linesOf,
  patience,
  stopped,
  Testbed,
  threeLines,
} from '../packages/server/testing/testbed.ts'

const testbed = new Testbed()
let postgres: TestPostgres
let url: string

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.database()
  writeFileSync(
    join(testbed.project, 'look.yaml'),
    `id: look
initial: a
states:
  a: { allowed_tools: [Read], on: { B: b } }
  b: { type: final }
`,
  )
}, patience.timeout)

afterAll(async () => {
  testbed.close()
  await postgres.stop()
}, patience.timeout)

const teamServer = ['up', '--port', '0', '--public-url', 'https://statewright.example.com/']

describe('up --database-url', () => {
  test('keeps everything in Postgres, and what it keeps survives a restart', patience, async () => {
    const first = await testbed.up('--database-url', url, '--test-person')
    const person = { STATEWRIGHT_TOKEN: first.ready.person_token ?? '' }
    expect((await testbed.hosted(['workflow', 'push', 'look.yaml'], person)).exit).toBe(0)
    const run = (await testbed.hosted(['run', 'start', 'look'], person)).out.trim()
    expect((await testbed.hosted(['run', 'transition', run, 'B'], person)).out).toBe('b\n')
    expect(await stopped(first.child, 'SIGTERM')).toBe(0)
    expect(existsSync(join(first.ready.data, 'statewright.db'))).toBe(false)

    // A team's server: the link is for browsers elsewhere, and says where the data really are.
    const child = testbed.start([...teamServer, '--database-url', url])
    const seen = linesOf(child)
    const { host, pathname } = new URL(url)
    await seen.waitForTalk(`Database: Postgres at ${host}${pathname}\n`)
    await seen.waitForTalk('Open the link above in your browser')
    await seen.until('https://statewright.example.com/login/')
    expect(await stopped(child, 'SIGTERM')).toBe(0)

    const second = await testbed.up('--database-url', url)
    const verified = await testbed.hosted(['run', 'verify', '--json'], person)
    expect(verified.exit, verified.out + second.talk()).toBe(0)
    const { ok, runs } = JSON.parse(verified.out)
    expect([ok, runs]).toEqual([true, [{ run_id: run, ok: true, entries: 3 }]])
    expect(await stopped(second.child, 'SIGTERM')).toBe(0)
  })

  test('says so when Postgres cannot be reached, without the password', patience, async () => {
    const far = 'postgres://ann:geheim@127.0.0.1:1/nothing'
    const { exit, talk } = await testbed.run(['up', '--port', '0', '--database-url', far])
    expect(exit).toBe(1)
    expect(talk).toMatch(threeLines('store_unavailable'))
    expect(talk).not.toContain('geheim')
  })
})
