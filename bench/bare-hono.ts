import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.post('/api/check', (context) => context.json({}))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
