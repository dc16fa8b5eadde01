import { isJsonObject } from '@statewright/core/internal'
import { claudeCode } from './claude-code.ts'
import type { CodingClient } from './client.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'

/** The name under which the hooks of the plugin call us, whichever client has loaded it. */
export const pluginName = 'claude-plugin'

/**
 * The client that speaks through the plugin, by what only its hooks carry. Where it cannot be told
 * it is taken for Claude Code, whose denial the others understand as well.
 */
export function pluginClient(body: unknown): CodingClient {
  if (!isJsonObject(body)) return claudeCode
  // Both name their tools and events as Claude Code does, but not their turns and times. A session
  // that starts is answered alike by all.
  if (typeof body.turn_id === 'string') return codex
  return typeof body.timestamp === 'string' && body.tool_use_id === undefined ? copilot : claudeCode
}

export const pluginProcessNames: readonly string[] = [claudeCode, codex, copilot].flatMap(
  ({ processNames }) => processNames,
)
