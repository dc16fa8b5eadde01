import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../packages/server/src/app/start-server.ts'
import type { Route } from '../../packages/server/src/http/pipeline/route.ts'

/** Every route of a server that really runs: some are added only while it is put together. */
export async function runningRoutes(): Promise<readonly Route[]> {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-reference-'))
  process.env.SW_SERVE_BUILT_DASHBOARD = '1'
  const environment = { HOME: folder, STATEWRIGHT_LOG_LEVEL: 'silent' }
  const started = await startServer({ port: 0, data: join(folder, 'data') }, environment, folder)
  if (!started.ok) throw new Error(started.error.message)
  try {
    return started.value.serving.routes
  } finally {
    await started.value.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
