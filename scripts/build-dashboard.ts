// Bundles the dashboard into packages/dashboard/dist. The server starts this when the page is
// missing or older than its sources.
import { existsSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { dashboardBuiltAt, isDashboardStale } from '../packages/server/src/app/dashboard-build.ts'
import { firstLoadChunks } from './dashboard/chunks.ts'
import { compressAll } from './dashboard/compress.ts'
import { wireWithoutShapes } from './dashboard/light-wire.ts'

// A test that starts a server says `test` here, and would get React's slow and large half.
process.env.NODE_ENV = 'production'

const repository = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(repository, 'packages', 'dashboard')
const finished = join(root, 'dist')
// Built elsewhere and then moved, so that a server that starts meanwhile never serves half of it.
const fresh = join(repository, 'node_modules', '.cache', `dashboard-${process.pid}`)

const startedAt = new Date()
const builtBefore = dashboardBuiltAt()
try {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    plugins: [wireWithoutShapes(repository)],
    build: {
      outDir: fresh,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // Our content policy lets the page load files of ours only, and no `data:` addresses.
      assetsInlineLimit: 0,
      // Read by the test that holds the first load to its limit; the server does not serve it.
      manifest: true,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { output: { codeSplitting: { groups: firstLoadChunks } } },
    },
  })
  await compressAll(fresh, finished)
  // What was edited while it was built must look newer than the build.
  utimesSync(join(fresh, 'index.html'), startedAt, startedAt)
  // Several servers that start at once all build: the pages of the first keep their files.
  const isBuilt = dashboardBuiltAt() !== builtBefore && !isDashboardStale()
  if (!isBuilt) putInPlace()
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

/**
 * Others may build at the same time and servers may start: the page is gone for no longer than a
 * rename takes, and who comes second takes the place of the first.
 */
function putInPlace(): void {
  const old = `${fresh}-old`
  for (let left = 10; left > 0; left--) {
    try {
      if (existsSync(finished)) renameSync(finished, old)
      renameSync(fresh, finished)
      return
    } catch (fault) {
      if (left === 1) throw fault
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}
