import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openStore } from '../../packages/server/src/store/open.ts'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { startPostgres } from '../../packages/server/testing/postgres.ts'
import { newRandom } from '../../packages/server/testing/random.ts'
import { dueAt, endedRuns, endFaults, halfwayFaults } from './archive-story.ts'

const script = join(import.meta.dirname, 'archiving-child.ts')
const seed = seedOf(Date.now() % 1_000_000)
const runs = lengthOf({ sample: 3, long: 6 })
const kills = lengthOf({ sample: 5, long: 200 })
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-archiving-'))
  folders.push(folder)
  return folder
}

/** Steps of the archive until all is done, or until it is killed after so many of them. */
async function archive(args: readonly string[], killedAfter = Number.POSITIVE_INFINITY, ms = 0) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folders[0] ?? '', 'compiled') }
  const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe', env })
  let [output, complaints] = ['', '']
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stderr.on('data', (bytes: Buffer) => {
    complaints += String(bytes)
  })
  child.stdout.on('data', async (bytes: Buffer) => {
    output += String(bytes)
    if (output.split('\n').length - 2 < killedAfter) return
    await sleep(ms)
    child.kill('SIGKILL')
  })
  await ended
  if (child.signalCode === null && child.exitCode !== 0) throw new Error(complaints)
  if (output.includes('broken')) throw new Error(output)
  return output.split('\n').filter((line) => line !== '')
}

describe('the archive', () => {
  test(`AR-3: killed ${kills} times at work, it loses and doubles nothing (seed ${seed})`, {
    timeout: longestMs,
  }, async () => {
    const random = newRandom(seed)
    let kill = 0
    while (kill < kills) {
      const outer = temporary()
      const [data, files] = [join(outer, 'data'), join(outer, 'archive')]
      const opened = () => openStore({ folder: data, durability: 'crash' })
      const store = await opened()
      const story = await endedRuns(store, runs, 120)
      await store.close()
      for (let isDone = false; !isDone; kill++) {
        const last = kill >= kills ? Number.POSITIVE_INFINITY : random.below(runs * 5)
        const steps = await archive([data, files, 'n1', String(dueAt)], last, random.below(4))
        isDone = steps.at(-1) === 'done'
        const after = await opened()
        const find = isDone ? endFaults : halfwayFaults
        expect(await find(after, [files], story)).toEqual([])
        await after.close()
      }
      const drafts = readdirSync(files, { recursive: true, encoding: 'utf8' })
      expect(drafts.filter((name) => name.endsWith('.jsonl'))).toHaveLength(runs)
    }
  })

  test('AR-3: two nodes that archive the same store lose and double nothing, killed or not', {
    timeout: longestMs,
  }, async () => {
    const postgres = await startPostgres()
    try {
      const random = newRandom(seed)
      for (let turn = 0; turn < lengthOf({ sample: 1, long: 30 }); turn++) {
        const outer = temporary()
        const databaseUrl = await postgres.database()
        const store = await openStore({ databaseUrl, folder: outer, durability: 'crash' })
        const story = await endedRuns(store, runs, 120)
        const node = (name: string, at: number, killedAfter?: number) => {
          const args = [outer, join(outer, name), name, String(at), databaseUrl]
          return archive(args, killedAfter, random.below(4))
        }
        const both = ['first', 'second'].map((name) => join(outer, name))
        await Promise.all([node('first', dueAt, random.below(runs * 5)), node('second', dueAt + 1)])
        expect(await halfwayFaults(store, both, story)).toEqual([])
        await Promise.all(both.map((_, at) => node(at === 0 ? 'first' : 'second', dueAt + 1e9)))
        expect(await endFaults(store, both, story)).toEqual([])
        await store.close()
      }
    } finally {
      await postgres.stop()
    }
  })
})
