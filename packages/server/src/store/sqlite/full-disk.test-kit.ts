// Runs on a file system of two megabytes: fills it, looks at what is there, and makes room again.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { append, notice, startedRun } from '../conformance/story.test-kit.ts'
import { StoreFault } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const [mount = ''] = process.argv.slice(2)
const ballast = join(mount, 'ballast')
writeFileSync(ballast, Buffer.alloc(1_000_000))
const store = await openSqliteStore({ folder: join(mount, 'data') })
const { writer } = await startedRun(store)
let reason = ''
for (let n = 0; reason === '' && n < 10_000; n++) {
  try {
    await append(store, writer, [notice('x'.repeat(5000))])
  } catch (error) {
    reason = error instanceof StoreFault ? error.reason : String(error)
  }
}
const whole = await isWhole()
rmSync(ballast)
// The same store, without a restart.
await append(store, writer, [notice('room again')])
const goesOn = await isWhole()
await store.close()
process.stdout.write(JSON.stringify({ reason, whole, goesOn }))

async function isWhole(): Promise<boolean> {
  const stored = await store.runs.entries(writer.runId, { after: 0, limit: 10_000 })
  return (
    JSON.stringify(stored.map((one) => one.hash)) ===
    JSON.stringify(writer.entries.map((one) => one.hash))
  )
}
