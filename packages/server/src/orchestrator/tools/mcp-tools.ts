import { setTimeout as wait } from 'node:timers/promises'
import { err, isJsonObject, type JsonObject } from '@statewright/core/internal'
import {
  errorResult,
  refusalResult,
  type Tool,
  type ToolDone,
  textResult,
} from '../../tools/tool.ts'
import { UpstreamRefusal } from '../../upstream/problem.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { writtenPaths } from '../../upstream/written-paths.ts'
import type { ToolSource } from './tool-runner.ts'

type McpTool = Upstream['catalog']['tools'][number]

/** Names that models take: longer ones are refused by every provider. */
const maxName = 64
const firstWaitMs = 5000

/**
 * The tools of the project's MCP servers (SE-10), under the names that policies and lists know
 * them by. A server that cannot be reached offers none at the moment.
 */
export function mcpTools(upstreams: Pick<Upstreams, 'list' | 'settled'>): ToolSource {
  let first: Promise<unknown> | undefined
  return {
    async tools() {
      // Only the first request waits: a server that is down must not hold up every turn.
      first ??= Promise.race([upstreams.settled(), wait(firstWaitMs, undefined, { ref: false })])
      await first
      return upstreams.list().flatMap((upstream) =>
        upstream.catalog.tools
          .filter(({ name }) => !upstream.changedTools.has(name))
          .map((tool) => toolOf(upstream, tool))
          .filter(({ name }) => name.length <= maxName && /^[\w-]+$/.test(name)),
      )
    },
    // They belong to the gateway, which ends them.
    close: async () => {},
  }
}

function toolOf(upstream: Upstream, tool: McpTool): Tool {
  return {
    name: `mcp__${upstream.name}__${tool.name}`,
    description: tool.description ?? '',
    inputSchema: schemaOf(tool),
    writes: writtenPaths(upstream.spec, tool),
    // What a server says of itself may only spare it the hooks, never the judge.
    isMutating: () => tool.annotations?.readOnlyHint !== true,
    async run(input, { signal, timeoutMs }) {
      if (!isJsonObject(input)) {
        return refusalResult('invalid_arguments', 'The arguments are not an object.')
      }
      try {
        const params = { name: tool.name, arguments: { ...input } }
        return tell(await upstream.request('tools/call', params, { signal, timeoutMs }))
      } catch (fault) {
        if (signal.aborted) return err({ why: 'canceled', message: 'The tool was stopped.' })
        const message = fault instanceof Error ? fault.message : String(fault)
        if (fault instanceof UpstreamRefusal) return errorResult('mcp_refused', message)
        return err({ why: 'crashed', message })
      }
    },
  }
}

function schemaOf(tool: McpTool): JsonObject {
  // It came as JSON; going through text proves it and drops what is undefined.
  return JSON.parse(JSON.stringify(tool.inputSchema))
}

function tell(result: Readonly<Record<string, unknown>>): ToolDone {
  const text = textOf(result) || '(no output)'
  return result.isError === true ? errorResult('mcp_error', text) : textResult(text)
}

/** Texts as they are; of other content the model is told what it is. */
function textOf({ content, structuredContent }: Readonly<Record<string, unknown>>): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  if (blocks.length === 0) {
    return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
  }
  return blocks
    .map((block) => {
      if (typeof block.text === 'string') return block.text
      if (isJsonObject(block.resource) && typeof block.resource.text === 'string') {
        return block.resource.text
      }
      return `[${block.type} ${block.mimeType ?? block.uri ?? ''}]`
    })
    .join('\n')
}
