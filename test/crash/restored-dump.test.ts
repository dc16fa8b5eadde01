import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type InstalledServer,
  installedPostgres,
} from '../../packages/server/testing/installed-postgres.ts'
import { lengthOf, longestMs } from '../../packages/server/testing/length.ts'
import { stopped, Testbed } from '../../packages/server/testing/testbed.ts'
import {
  type Acknowledged,
  crashWorkflow,
  entriesOf,
  faultsOf,
  type ServerAddress,
  send,
  work,
} from './server-load.ts'

const postgres = installedPostgres()
const testbed = new Testbed()
const servers: InstalledServer[] = []
const guide = readFileSync(new URL('../../docs/guide/team.md', import.meta.url), 'utf8')

afterAll(async () => {
  testbed.close()
  for (const server of servers) await server.stop()
}, 60_000)

/** The tool and its options, as the page for teams writes them. */
function command(tool: string, databaseUrl: string, file: string): [string, string[]] {
  const text = new RegExp(`\`?(${tool} [^\`\\n]+)`).exec(guide)?.[1] ?? ''
  const words = text.replaceAll('"', '').split(' ')
  const args = words.map((word) =>
    word.replace('$DATABASE_URL', databaseUrl).replace('statewright.dump', file),
  )
  return [args[0] ?? '', args.slice(1)]
}

async function node(name: string, databaseUrl: string) {
  const data = ['--data', join(testbed.folder, name), '--database-url', databaseUrl]
  const { ready, child } = await testbed.up('--test-person', ...data)
  const server: ServerAddress = { url: ready.url, token: ready.person_token ?? '' }
  return { server, stop: () => stopped(child, 'SIGTERM') }
}

async function database(): Promise<string> {
  const server = await postgres?.start()
  if (server === undefined) throw new Error('Postgres is not installed')
  servers.push(server)
  return server.url
}

describe.skipIf(postgres === undefined)('a dump of a store in use', () => {
  test('ND-5: is one consistent picture, on the same and on a new server', {
    timeout: longestMs,
  }, async () => {
    const [used, fresh] = await Promise.all([database(), database()])
    const first = await node('used', used)
    await send(first.server, 'PUT', '/api/workflows/crash', crashWorkflow)
    const before: Acknowledged[] = []
    for (let index = 0; index < 3; index++) {
      const started = await send(first.server, 'POST', '/api/runs', { workflow: 'crash' })
      before.push({ runId: String(started?.body.run_id), calls: new Set(), transitions: 0 })
    }
    let isOver = false
    const untilDump = before.map((one) => work([first.server], one, () => isOver))
    const fewest = () => Math.min(...before.map(({ calls }) => calls.size))
    await expect.poll(fewest, { timeout: 60_000 }).toBeGreaterThan(10)
    // Told before the dump begins: this much must be in it. The load goes on meanwhile.
    const known = before.map((one) => ({ ...one, calls: new Set(one.calls) }))
    const file = join(testbed.folder, 'statewright.dump')
    postgres?.tool(...command('pg_dump', used, file))
    isOver = true
    await Promise.all(untilDump)
    expect(await first.stop()).toBe(0)

    for (const [name, databaseUrl] of Object.entries(
      lengthOf<Record<string, string>>(restores(used, fresh)),
    )) {
      postgres?.tool(...command('pg_restore', databaseUrl, file))
      const restored = await node(`restored-${name}`, databaseUrl)
      const faults = await Promise.all(known.map((one) => faultsOf(restored.server, one)))
      expect(faults.flat()).toEqual([])
      const person = {
        STATEWRIGHT_URL: restored.server.url,
        STATEWRIGHT_TOKEN: restored.server.token,
      }
      const verified = await testbed.hosted(['run', 'verify'], person)
      expect([verified.exit, verified.talk]).toEqual([0, '3 verified, 0 broken.\n'])
      await goesOn(restored.server, known[0]?.runId ?? '')
      expect(await restored.stop()).toBe(0)
    }
  })
})

/** A new server counts transactions from the start, which is what may hide entries. */
function restores(used: string, fresh: string) {
  return { sample: { fresh }, long: { fresh, used } }
}

/** A call is judged, stands in the history, and comes through the feed: nothing hides behind it. */
async function goesOn(server: ServerAddress, run: string): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}`, accept: 'text/event-stream' }
  const feed = await fetch(new URL('/api/feed', server.url), { headers })
  const call = { run, tool: 'Read', input: { file_path: 'a.ts' }, call_id: 'after the restore' }
  expect((await send(server, 'POST', '/api/check', call))?.body.decision).toBe('allow')
  expect(JSON.stringify((await entriesOf(server, run)).at(-1))).toContain('after the restore')
  let text = ''
  for await (const part of feed.body ?? []) {
    text += Buffer.from(part).toString()
    if (text.includes('after the restore')) return
  }
  expect(text).toContain('after the restore')
}
