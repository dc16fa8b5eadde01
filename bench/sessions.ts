import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchResult, quantile } from './measure.ts'
import { startChild, stop, temporaryFolder } from './server-kit.ts'
import { runCrowd } from './session-crowd.ts'

const sessions = 500
const bin = join(import.meta.dirname, '../packages/server/bin/statewright.mjs')

/** Scripted sessions at once on one server: events per second, and how it answers meanwhile. */
export async function benchSessions(): Promise<BenchResult> {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'note.txt'), 'a note\n')
  const data = join(folder.path, 'data')
  const args = ['up', '--port', '0', '--json', '--test-person', '--data', data]
  const { child, line } = await startChild([bin, ...args], folder.path)
  try {
    const { url, person_token: token, pid } = JSON.parse(line)
    const crowd = await runCrowd({ url, token, pid, project: folder.path }, sessions)
    return {
      name: 'sessions',
      value: (crowd.events / crowd.tookMs) * 1000,
      unit: `events/s (${sessions} sessions at once)`,
      target: 'health p99 <= 100 ms',
      more: {
        health_p99_ms: quantile(crowd.healthMs, 0.99),
        memory_mb: (crowd.maxBytes ?? Number.NaN) / 1024 / 1024,
        failed: crowd.failed,
      },
    }
  } finally {
    await stop(child)
    folder.remove()
  }
}
