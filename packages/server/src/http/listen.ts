import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/**
 * Binds the loopback address and nothing else. The app is made once the port is known, because it
 * answers only on its own name and port. Rejects when the port is taken.
 */
export async function listen(port: number, createApp: (port: number) => Hono): Promise<Listening> {
  const server = createServer()
  await bind(server, port)
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const app = createApp(bound)
  server.on('request', getRequestListener(app.fetch))
  return { url: `http://127.0.0.1:${bound}/`, close: () => close(server) }
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    // A browser keeps its connection open; waiting for it would keep the server alive.
    server.closeAllConnections()
  })
}
