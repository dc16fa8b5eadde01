import type { McpDoor } from './mcp-door.ts'

/**
 * A door that is made with the first request. The protocol's library takes a good part of the time
 * that a start takes, and nobody hears of changes who never asked for anything.
 */
export function lazyDoor(make: () => Promise<McpDoor>): McpDoor {
  let making: Promise<McpDoor> | undefined
  let door: McpDoor | undefined
  const opened = async (): Promise<McpDoor> => {
    making ??= make()
    door = await making
    return door
  }
  return {
    async fetch(request, caller, more) {
      return (door ?? (await opened())).fetch(request, caller, more)
    },
    toolsChanged: (tokenId) => door?.toolsChanged(tokenId),
    promptsChanged: () => door?.promptsChanged(),
    resourcesChanged: () => door?.resourcesChanged(),
    resourceUpdated: (uri) => door?.resourceUpdated(uri),
    async close() {
      await (await making)?.close()
    },
  }
}
