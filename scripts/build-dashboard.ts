// Bundles the dashboard into packages/dashboard/dist. The server starts this when the page is
// missing or older than its sources.
import { renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

// A test that starts a server says `test` here, and would get React's slow and large half.
process.env.NODE_ENV = 'production'

const repository = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(repository, 'packages', 'dashboard')
const finished = join(root, 'dist')
// Built elsewhere and then moved, so that a server that starts meanwhile never serves half of it.
const fresh = join(repository, 'node_modules', '.cache', `dashboard-${process.pid}`)

const startedAt = new Date()
try {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: fresh,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // Our content policy lets the page load files of ours only, and no `data:` addresses.
      assetsInlineLimit: 0,
      // Read by the test that holds the first load to its limit; the server does not serve it.
      manifest: true,
      chunkSizeWarningLimit: 2000,
    },
  })
  // What was edited while it was built must look newer than the build.
  utimesSync(join(fresh, 'index.html'), startedAt, startedAt)
  rmSync(finished, { recursive: true, force: true })
  renameSync(fresh, finished)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
