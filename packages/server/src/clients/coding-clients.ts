import { claudeCode } from './claude-code.ts'
import type { CodingClient } from './client.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

/** The coding clients whose hooks we answer, by the name in `/hooks/<client>`. */
export const codingClients: ReadonlyMap<string, CodingClient> = new Map(
  [claudeCode, codex, copilot, cursor, gemini, opencode].map((client) => [client.name, client]),
)

/** The tool use that an MCP call names, in whichever client's way. */
export function toolUseNamed(meta: Readonly<Record<string, unknown>>): string | undefined {
  for (const client of codingClients.values()) {
    const id = client.toolUseOf(meta)
    if (id !== undefined) return id
  }
  return undefined
}
