import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BenchResult, median } from './measure.ts'
import { caller, check, newRun, startRuntime } from './runtime-kit.ts'
import { elapsedMs, temporaryFolder } from './server-kit.ts'

const callers = 32
const perCaller = 40
const rounds = 7

/** Decisions per second with every commit safe from a power cut, 32 callers at a time. */
export async function benchDurable(): Promise<BenchResult> {
  const folder = temporaryFolder()
  const { runtime, guard, close } = await startRuntime(folder.path, 'power')
  const plain = plainCommits(join(folder.path, 'plain.db'))
  try {
    const runs = await Promise.all(Array.from({ length: callers }, () => newRun(runtime)))
    const decide = (label: string) =>
      Promise.all(
        runs.map(async (run) => {
          for (let index = 0; index < perCaller; index++) {
            const input = { file_path: 'src/index.ts' }
            await check(guard, caller, {
              run,
              tool: 'Read',
              input,
              callId: `${label}-${index}`,
            })
          }
        }),
      )
    await decide('warm')
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const started = process.hrtime.bigint()
      await decide(`r${round}`)
      ours.push(((callers * perCaller) / elapsedMs(started)) * 1000)
      theirs.push(plain.speed(400))
    }
    const value = median(ours)
    const baseline = median(theirs)
    return {
      name: 'durable',
      value,
      unit: 'decisions/s',
      baseline,
      against: 'one INSERT and COMMIT each',
      ratio: value / baseline,
      target: '>= 3',
    }
  } finally {
    plain.close()
    await close()
    folder.remove()
  }
}

/** The same durability without batching: one row, one commit, one after another. */
function plainCommits(path: string): { speed: (count: number) => number; close: () => void } {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t(a TEXT, b TEXT)')
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)')
  const body = 'x'.repeat(600)
  return {
    speed: (count) => {
      const started = process.hrtime.bigint()
      for (let index = 0; index < count; index++) insert.run(String(index), body)
      return (count / elapsedMs(started)) * 1000
    },
    close: () => database.close(),
  }
}
