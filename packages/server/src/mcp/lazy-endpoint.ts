import type { McpEndpoint } from './mcp-endpoint.ts'

/**
 * A door that is made with the first request. The protocol's library takes a good part of the time
 * that a start takes, and nobody hears of changes who never asked for anything.
 */
export function lazyEndpoint(make: () => Promise<McpEndpoint>): McpEndpoint {
  let making: Promise<McpEndpoint> | undefined
  let endpoint: McpEndpoint | undefined
  const opened = async (): Promise<McpEndpoint> => {
    making ??= make()
    endpoint = await making
    return endpoint
  }
  return {
    async answer(request, caller, more) {
      return (endpoint ?? (await opened())).answer(request, caller, more)
    },
    toolsChanged: (tokenId) => endpoint?.toolsChanged(tokenId),
    promptsChanged: () => endpoint?.promptsChanged(),
    resourcesChanged: () => endpoint?.resourcesChanged(),
    resourceUpdated: (uri) => endpoint?.resourceUpdated(uri),
    async close() {
      await (await making)?.close()
    },
  }
}
