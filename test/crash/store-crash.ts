// Kills a process that appends, again and again, and looks at what it leaves:
//   node test/crash/store-crash.ts --times 200 --seed 7
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brokenLink } from '@statewright/core/internal'
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { crashRate, runIds } from './crash-story.ts'

export interface CrashReport {
  readonly kills: number
  readonly acknowledged: number
  readonly stored: number
  readonly problems: readonly string[]
}

/** Counted in commits, not in time: a slow machine must be killed at work as well. */
const killedWithinCommits = 120
const killedWithinMs = 8
const startMs = 30_000

/** Kills at random moments; every other time with the durability that outlives a power cut. */
export async function crashStore(times: number, seed: number): Promise<CrashReport> {
  const outer = mkdtempSync(join(tmpdir(), 'statewright-crash-'))
  const folder = join(outer, 'data')
  const random = randomFrom(seed)
  const acknowledged = new Map<string, string>()
  const problems: string[] = []
  let stored = 0
  try {
    for (let kill = 0; kill < times && problems.length === 0; kill++) {
      const durability = kill % 2 === 0 ? 'crash' : 'power'
      const reported = await appendAndKill(folder, durability, {
        commits: Math.floor(random() * killedWithinCommits),
        thenMs: random() * killedWithinMs,
      })
      for (const line of reported) {
        const [runId = '', seq = '', hash = ''] = line.split(' ')
        acknowledged.set(`${runId} ${seq}`, hash)
      }
      const store = await openSqliteStore({ folder, durability })
      const found = await inspect(store, acknowledged)
      await store.close()
      stored = found.stored
      problems.push(...found.problems.map((one) => `after kill ${kill + 1}: ${one}`))
    }
    return { kills: times, acknowledged: acknowledged.size, stored, problems }
  } finally {
    rmSync(outer, { recursive: true, force: true })
  }
}

/** The lines that the child got out before it died; the last one may be cut off. */
async function appendAndKill(
  folder: string,
  durability: string,
  moment: { readonly commits: number; readonly thenMs: number },
): Promise<readonly string[]> {
  const script = fileURLToPath(new URL('./appending-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, durability], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Most of a start is compiling; so the kills come faster.
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, '..', 'compiled') },
  })
  let output = ''
  let complaints = ''
  let lines = 0
  const isTime = Promise.withResolvers<void>()
  child.stdout.on('data', (bytes: Buffer) => {
    const text = bytes.toString()
    output += text
    lines += text.split('\n').length - 1
    // The first line only says that the store is open.
    if (lines > moment.commits) isTime.resolve()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    complaints += bytes.toString()
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await Promise.race([isTime.promise, ended, sleep(startMs, undefined, { ref: false })])
  await sleep(moment.thenMs)
  const wasAlive = stillRuns(child)
  child.kill('SIGKILL')
  await ended
  if (!wasAlive) throw new Error(`the child ended by itself: ${complaints}`)
  return output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1)
}

function stillRuns(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function inspect(
  store: Store,
  acknowledged: ReadonlyMap<string, string>,
): Promise<{ readonly stored: number; readonly problems: readonly string[] }> {
  const problems: string[] = []
  const found = new Map<string, string>()
  for (const runId of runIds) {
    const entries = await store.runs.entries(runId, { after: 0, limit: 1_000_000 })
    for (const { seq, hash } of entries) found.set(`${runId} ${seq}`, hash)
    const broken = brokenLink(runId, entries, sha256)
    if (broken !== null) problems.push(`${runId}: ${broken.problem}`)
    const loaded = await store.runs.load(runId)
    const last = entries.at(-1)
    if (loaded === undefined && last === undefined) continue
    if (loaded?.row.seq !== last?.seq || loaded?.row.chain !== last?.hash) {
      problems.push(`${runId}: the row stands elsewhere than its history`)
    }
    if (loaded?.snapshot !== undefined && loaded.snapshot.visits !== loaded.snapshotSeq) {
      problems.push(`${runId}: the snapshot belongs to another entry`)
    }
  }
  for (const [position, hash] of acknowledged) {
    if (found.get(position) !== hash) problems.push(`${position} was acknowledged and is not there`)
  }
  const scope = { role: 'agent', session: '', at: Date.now(), capability: 'bash' }
  const used = (await store.counters.usage([crashRate], scope))[crashRate.key]?.used
  if (used !== found.size) problems.push(`${found.size} entries, but ${used} were counted`)
  return { stored: found.size, problems }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { times: { type: 'string' }, seed: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const report = await crashStore(Number(values.times ?? 200), seed)
  process.stdout.write(`${JSON.stringify({ seed, ...report })}\n`)
  process.exitCode = report.problems.length === 0 ? 0 : 1
}
