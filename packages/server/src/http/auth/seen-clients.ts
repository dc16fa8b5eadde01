import type { IncomingMessage } from 'node:http'
import { BoundedMap } from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { HttpRequest } from '../../base/http-request.ts'
import { processKey } from '../../base/process-start.ts'
import { processNamesOf } from '../../clients/coding-clients.ts'
import type { ClientRegistry } from '../../hooks/client-registry.ts'
import type { Auth } from './auth.ts'
import { readSignature } from './hook-signature.ts'
import { belongsToOther, peerAncestors, programName } from './peer-ancestors.ts'

interface HookCall {
  readonly server: { readonly auth: Auth }
  readonly request: Pick<HttpRequest, 'headers'>
  readonly incoming: IncomingMessage | undefined
}

/** Set by the hook command: then the client is not our peer but its parent. */
export const hookHeader = 'statewright-hook'

/** The command itself, and shells that a client may put between. */
const maxBetween = 4

/** Looking costs a walk through the kernel's tables, so that it is done now and then only. */
const lookAgainMs = 30_000
const maxKnown = 1000

/** Remembers which processes are guarded clients, by the hooks that they send. */
export class SeenClients {
  readonly #lookedAt = new BoundedMap<string, number>(maxKnown)
  readonly #registry: ClientRegistry | undefined

  constructor(registry?: ClientRegistry) {
    this.#registry = registry
  }

  /** The client's process as `processKey` names it, where it was looked for and found. */
  note(
    { server, request, incoming }: HookCall,
    caller: Caller,
    client: string,
  ): string | undefined {
    const names = processNamesOf(client)
    const isCommand = request.headers.get(hookHeader) === 'command'
    if (names === undefined || incoming === undefined) return undefined
    if (!this.#isDue(caller, isCommand)) return undefined
    if (!isLoopback(incoming.socket.remoteAddress)) {
      this.#registry?.noteApart(client, true)
      return undefined
    }
    // A hook sent by hand must not turn the terminal it came from into a guarded client.
    // It has a caller: a signature that is there was found to be right.
    const mac = readSignature(request.headers.get('authorization'))?.mac
    const found = peerAncestors(incoming, mac)
      .slice(0, isCommand ? maxBetween : 1)
      .find(({ pid }) => names.includes(programName(pid)))
    if (found === undefined) return undefined
    server.auth.guarded.add(found)
    this.#registry?.noteApart(client, belongsToOther(found.pid))
    return processKey(found)
  }

  #isDue({ tokenId }: Caller, isCommand: boolean): boolean {
    if (isCommand) return true
    const now = performance.now()
    const last = this.#lookedAt.get(tokenId)
    if (last !== undefined && now - last < lookAgainMs) return false
    this.#lookedAt.set(tokenId, now)
    return true
  }
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || /^(::ffff:)?127\.|^::1$/.test(address)
}
