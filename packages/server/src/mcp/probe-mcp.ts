import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { err, ok, type Result } from '@statewright/core/internal'

/** An MCP server as a client's settings name it. */
export interface McpAddress {
  readonly command: string
  readonly args: readonly string[]
}

const withinMs = 20_000

/** The names of the tools that a server offers, asked for as a client would. */
export async function listedTools(address: McpAddress): Promise<Result<string[], string>> {
  const client = new Client(
    { name: 'statewright-doctor', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env
  const { command, args } = address
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { PATH, HOME },
    stderr: 'ignore',
  })
  try {
    await client.connect(transport, { timeout: withinMs })
    const { tools } = await client.listTools(undefined, { timeout: withinMs })
    return ok(tools.map(({ name }) => name))
  } catch (fault) {
    return err(fault instanceof Error ? fault.message : String(fault))
  } finally {
    await client.close().catch(() => {})
  }
}
