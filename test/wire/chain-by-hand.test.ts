import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../packages/server/testing/server.ts'

const page = readFileSync(new URL('../../docs/guide/security.md', import.meta.url), 'utf8')
const script = /^```sh\n(# file: check-chain\.sh\n[\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
const hasTools = spawnSync('sh', ['-c', 'command -v jq sha256sum']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'statewright-chain-'))
let server: TestServer
let exported: string

beforeAll(async () => {
  server = await testServer()
  const token = await server.token('person')
  const states = { a: { on: { GO: 'b' } }, b: { type: 'final' } }
  const definition = { id: 'chained', initial: 'a', context: { word: 'ä "\\ 😀' }, states }
  const { body } = await server.ask('POST', '/api/runs', { token, body: { definition } })
  const run = `/api/runs/${body.run_id}`
  await server.ask('POST', `${run}/transition`, { token, body: { event: 'NOPE' } })
  await server.ask('POST', `${run}/transition`, { token, body: { event: 'GO' } })
  exported = (await server.ask('GET', `${run}/export`, { token })).text
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** As the guide says it. */
function check(text: string): string[] {
  writeFileSync(join(folder, 'run.json'), text)
  writeFileSync(join(folder, 'check-chain.sh'), script)
  const ran = spawnSync('sh', ['check-chain.sh', 'run.json'], { cwd: folder, encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  return ran.stdout.trim().split('\n')
}

test.runIf(hasTools)('WF-34: the guide checks a whole chain without anything of ours', () => {
  const { entries } = JSON.parse(exported)
  expect(entries.length).toBeGreaterThan(3)
  expect(check(exported)).toEqual(entries.map((_: unknown, at: number) => `entry ${at + 1} fits`))
})

test.runIf(hasTools)('WF-34: and finds the entry that was changed, left out or moved', () => {
  const run = JSON.parse(exported)
  const changed = exported.replace('"NOPE"', '"NOTE"')
  expect(changed).not.toBe(exported)
  expect(check(changed).at(-1)).toBe('entry 2 is not the one that was written')
  const shorter = { ...run, entries: run.entries.toSpliced(1, 1) }
  expect(check(JSON.stringify(shorter)).at(-1)).toBe('entry 3 is not the one that was written')
  const [first, second, ...rest] = run.entries
  const moved = { ...run, entries: [second, first, ...rest] }
  expect(check(JSON.stringify(moved)).at(-1)).toBe('entry 2 is not the one that was written')
})
