// A server with demo data that starts again when its sources change, and the dashboard with hot
// reload in front of it. Its data is in a temporary folder of its own.
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, type ProxyOptions } from 'vite'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const serverPort = Number(process.env.SW_DEV_PORT ?? 4760)
const pagePort = serverPort + 1
const server = `http://localhost:${serverPort}`
const page = `http://localhost:${pagePort}`
const data = join(tmpdir(), `statewright-dev-${serverPort}`)

const watched = ['packages/core/src', 'packages/server/src'].map((path) => join(root, path))
const child = spawn(
  process.execPath,
  [
    ...watched.map((path) => `--watch-path=${path}`),
    '--watch-preserve-output',
    join(root, 'packages', 'server', 'bin', 'statewright.mjs'),
    ...['up', '--demo', '--port', String(serverPort), '--data', data],
  ],
  {
    // The page that vite serves is the newer one; the server need not build it.
    env: { ...process.env, SW_SERVE_BUILT_DASHBOARD: '1' },
    stdio: ['inherit', 'pipe', 'inherit'],
  },
)
// The link is good once, and must be used on the page that reloads.
child.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk.toString('utf8').replaceAll(server, page))
})

/** To the server every request comes from its own page. */
const proxied: ProxyOptions = {
  target: server,
  changeOrigin: true,
  configure: (proxy) => {
    proxy.on('proxyReq', (request) => {
      if (request.hasHeader('origin')) request.setHeader('origin', server)
    })
  },
}
const paths = ['/api', '/login', '/passkey.js', '/docs', '/hooks', '/mcp', '/healthz', '/metrics']
const vite = await createServer({
  root: join(root, 'packages', 'dashboard'),
  configFile: false,
  cacheDir: join(root, 'node_modules', '.cache', 'vite-dev'),
  worker: { format: 'es' },
  server: {
    host: 'localhost',
    port: pagePort,
    strictPort: true,
    proxy: Object.fromEntries(paths.map((path) => [path, proxied])),
  },
})
await vite.listen()
process.stderr.write(`The dashboard reloads at ${page}; the server is behind it at ${server}.\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => child.kill(signal))
}
child.once('exit', async (code) => {
  await vite.close()
  process.exit(code ?? 0)
})
