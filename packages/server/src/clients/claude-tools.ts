import { isJsonObject, own, ownToolNames } from '@statewright/core/internal'
import type { HookOrigin } from './client.ts'

/** The name under which `install` enters our MCP server. */
export const ourServerName = 'statewright'
const ourPrefix = `mcp__${ourServerName}__`
/** As Claude Code calls the tools of the server that our plugin brings along. */
const pluginPrefix = `mcp__plugin_${ourServerName}_${ourServerName}__`

interface McpServer {
  readonly name: string
  readonly source?: string | undefined
}

/**
 * Whether a call goes to our own server. A project may bring along a server of our name that does
 * whatever it likes, so that only entries of the user's own count, which is where `install` writes;
 * and of those only the names that we really have, or have behind us (WF-7).
 */
export function isOurServer(
  tool: string,
  server: McpServer | undefined,
  { isFronted, hasOnlyOurServer }: HookOrigin,
): boolean {
  const isPlugins = tool.startsWith(pluginPrefix)
  if (!isPlugins && !tool.startsWith(ourPrefix)) return false
  const name = withoutOurPrefix(tool)
  if (!ownTools.has(name) && isFronted?.(name) !== true) return false
  // A plugin is installed by the person, and no other can have its prefix.
  if (isPlugins) return server?.source !== 'project'
  if (server === undefined || hasOnlyOurServer === true) return true
  const isUsers = server.source === undefined || usersSources.has(server.source)
  return server.name === ourServerName && isUsers
}

const ownTools: ReadonlySet<string> = new Set(ownToolNames)
const usersSources: ReadonlySet<string> = new Set(['user', 'local'])

export function withoutOurPrefix(tool: string): string {
  return tool.slice((tool.startsWith(pluginPrefix) ? pluginPrefix : ourPrefix).length)
}

/** A result and its bytes in UTF-8, as near to what the model reads as a hook shows it (WF-11). */
export function resultFacts(response: unknown): { bytes: number; output: string } {
  const output = resultText(response)
  return { bytes: new TextEncoder().encode(output).length, output }
}

function resultText(response: unknown): string {
  if (response === undefined || response === null) return ''
  if (typeof response === 'string') return response
  if (typeof response !== 'object') return String(response)
  // An object, as was just seen.
  const { stdout, stderr, file } = response as Readonly<Record<string, unknown>>
  if (typeof stdout === 'string') return stdout + (typeof stderr === 'string' ? stderr : '')
  if (typeof file === 'object' && file !== null && 'content' in file) {
    if (typeof file.content === 'string') return file.content
  }
  return JSON.stringify(response)
}

/** What the result of an MCP tool says it cost, under `_meta.cost_usd` (PR-9). */
export function resultCost(response: unknown): number | undefined {
  const meta = isJsonObject(response) ? own(response, '_meta') : undefined
  const cost = isJsonObject(meta) ? own(meta, 'cost_usd') : undefined
  const isKnown = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
  return isKnown ? cost : undefined
}

/**
 * A command that was broken off, or goes on in the background: on its timeout too, which the agent
 * chooses. Taking either for a success would make evidence of a test that never passed (WF-31).
 */
export function goesOn(response: unknown): boolean {
  if (!isJsonObject(response)) return false
  const task = own(response, 'backgroundTaskId')
  return (task !== undefined && task !== null) || own(response, 'interrupted') === true
}

/** An unknown tool or an invalid input: the client answers by itself, and no tool ran. */
export function wasTurnedAway(response: unknown): boolean {
  return typeof response === 'string' && response.startsWith('<tool_use_error>')
}
