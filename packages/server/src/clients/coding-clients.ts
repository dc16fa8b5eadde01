import { claudeCode } from './claude-code.ts'
import type { CodingClient } from './client.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { pluginClient, pluginName, pluginProcessNames } from './plugin-dialect.ts'

/** The coding clients whose hooks we answer, by the name in `/hooks/<client>`. */
export const codingClients: ReadonlyMap<string, CodingClient> = new Map(
  [claudeCode, codex, gemini, opencode, copilot, cursor].map((client) => [client.name, client]),
)

/** The client whose hook this is; what comes through the plugin says itself whose it is. */
export function clientOf(name: string, body: unknown): CodingClient | undefined {
  return name === pluginName ? pluginClient(body) : codingClients.get(name)
}

/** What the kernel may call the process that sent a hook. */
export function processNamesOf(name: string): readonly string[] | undefined {
  return name === pluginName ? pluginProcessNames : codingClients.get(name)?.processNames
}

/** The tool use that an MCP call names, in whichever client's way. */
export function toolUseNamed(meta: Readonly<Record<string, unknown>>): string | undefined {
  for (const client of codingClients.values()) {
    const id = client.toolUseOf(meta)
    if (id !== undefined) return id
  }
  return undefined
}
