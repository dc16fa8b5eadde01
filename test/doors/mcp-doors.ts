import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Act, Cell, Door, Outcome } from './door.ts'
import { startRun } from './http-door.ts'
import type { DoorName } from './table.ts'

interface ToolCall {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

function mcpDoor(
  door: Omit<Door, 'open'>,
  era: 'auto' | 'legacy',
  callOf: (act: Act, cell: Cell) => ToolCall,
): Door {
  return {
    ...door,
    async open(cell) {
      const { server } = cell
      const { token } = await server.mint(cell.id, cell.project)
      const runId = await startRun(cell, token)
      const client = await connect(cell, token, era)
      return {
        person: server,
        agent: {
          runId,
          act: async (act) => readResult(await client.callTool(callOf(act, cell))),
          close: () => client.close(),
        },
      }
    },
  }
}

async function connect({ server }: Cell, token: string, era: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  const headers = { authorization: `Bearer ${token}` }
  const url = new URL('/mcp', server.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

function readResult(result: Awaited<ReturnType<Client['callTool']>>): Outcome {
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''))
  const text = texts.join('\n')
  const refusal = result._meta?.['statewright/refusal']
  if (refusal === undefined) return { isDenied: false, text }
  const { code } = refusal as { code: string } // The published shape.
  return { isDenied: true, code, text }
}

type Eras = readonly (readonly [DoorName, 'auto' | 'legacy'])[]

/** A server of somebody else behind our gateway, in both eras of the protocol. */
const frontEras: Eras = [
  ['mcp front', 'auto'],
  ['mcp front legacy', 'legacy'],
]
export const frontDoors = frontEras.map(([name, era]) =>
  mcpDoor(
    {
      name,
      write: { tool: 'mcp__files__write_file', capability: 'mcp:files:write_file' },
      says: 'files__write_file',
      hasWritten: ({ id, server }, path) => existsSync(join(server.fronted, nameIn(id, path))),
    },
    era,
    (act, { id }) => {
      if ('shell' in act) throw new Error('bug: the server behind us has no shell')
      const path = isAbsolute(act.write) ? act.write : nameIn(id, act.write)
      return { name: 'files__write_file', arguments: { path, content: act.text } }
    },
  ),
)

/** That server has one folder for everybody. */
function nameIn(cellId: string, path: string): string {
  return `${cellId}-${path}`
}

/** The gateway's own file and shell tools, in both eras. */
const toolEras: Eras = [
  ['mcp tools', 'auto'],
  ['mcp tools legacy', 'legacy'],
]
export const toolsDoors = toolEras.map(([name, era]) =>
  mcpDoor({ name, write: { tool: 'Write', capability: 'write' }, says: 'Write' }, era, (act) =>
    'shell' in act
      ? { name: 'Bash', arguments: { command: act.shell } }
      : { name: 'Write', arguments: { path: act.write, content: act.text } },
  ),
)
