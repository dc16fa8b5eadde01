import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Problem } from '@statewright/core'
import type { Hono } from 'hono'

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/**
 * Binds the loopback address and nothing else. The app is made once the port is known, because it
 * answers only on its own name and port.
 */
export async function listen(port: number, createApp: (port: number) => Hono): Promise<Listened> {
  const server = createServer()
  const fault = await bind(server, port)
  if (fault !== undefined) return { ok: false, error: bindProblem(port, fault) }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const app = createApp(bound)
  server.on('request', getRequestListener(app.fetch))
  const url = `http://127.0.0.1:${bound}/`
  return { ok: true, value: { url, close: () => close(server) } }
}

type Listened =
  | { readonly ok: true; readonly value: Listening }
  | { readonly ok: false; readonly error: Problem }

function bind(server: Server, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
}

function bindProblem(port: number, fault: Error): Problem {
  return {
    code: 'port_unusable',
    message: `The server cannot listen on port ${port} (${fault.message}).`,
    where: '--port',
    next: 'stop what uses the port, or take any free one with "--port 0".',
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    // A browser keeps its connection open; waiting for it would keep the server alive.
    server.closeAllConnections()
  })
}
