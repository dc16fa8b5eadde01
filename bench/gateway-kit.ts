import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type BenchServer, elapsedMs, post, startOurs } from './server-kit.ts'

export const echoFile = join(import.meta.dirname, 'mcp-echo.ts')

const workflow = {
  id: 'bench',
  initial: 'working',
  states: {
    working: { allowed_tools: ['mcp__bench__echo'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

export interface BenchClient {
  call(count: number): Promise<number[]>
  close(): Promise<void>
}

/** One client, one call after the other, as an agent would make them. */
export async function connectTo(
  url: string,
  token = '',
  mode: 'auto' | 'legacy' = 'auto',
): Promise<BenchClient> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  return {
    async call(count) {
      const times: number[] = []
      for (let index = 0; index < count; index++) {
        const since = process.hrtime.bigint()
        const answer = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
        times.push(elapsedMs(since))
        if (answer.isError === true) throw new Error(`refused: ${JSON.stringify(answer.content)}`)
      }
      return times
    },
    close: () => client.close(),
  }
}

/** Our server with one server behind it, and a run that judges what passes. */
export async function startGateway(
  folder: string,
  upstream: object,
): Promise<{ ours: BenchServer; client: BenchClient }> {
  const config = { upstreams: { bench: upstream } }
  writeFileSync(join(folder, 'statewright.yaml'), JSON.stringify(config))
  const ours = await startOurs(folder)
  await post(ours, '/api/config/accept', {})
  await post(ours, '/api/workflows/bench', workflow, 'PUT')
  const minted = await post(ours, '/api/tokens', { kind: 'agent', name: 'bench' })
  const { token } = JSON.parse(minted.body) as { token: string } // The published shape.
  await post({ ...ours, token }, '/api/runs', { workflow: 'bench' })
  return { ours, client: await connectTo(`${ours.url}/mcp`, token) }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Tries until a server that says nothing when it is ready answers. */
export async function connectOnceReady(url: string, mode: 'auto' | 'legacy'): Promise<BenchClient> {
  for (let tries = 0; ; tries++) {
    try {
      return await connectTo(url, '', mode)
    } catch (fault) {
      if (tries > 100) throw fault
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
