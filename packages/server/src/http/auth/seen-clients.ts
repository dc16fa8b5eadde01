import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
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

/** Remembers which processes are guarded clients, by the hooks that they send. */
export class SeenClients {
  /** Looking costs a walk through the kernel's tables, and a connection belongs to one process. */
  readonly #senders = new WeakMap<Socket, string | undefined>()
  readonly #registry: ClientRegistry | undefined

  constructor(registry?: ClientRegistry) {
    this.#registry = registry
  }

  /**
   * The client's process as `processKey` names it, where it was found. `call` has a caller, so that
   * a signature that is there was found to be right.
   */
  note(call: HookCall, client: string): string | undefined {
    const { incoming } = call
    if (incoming === undefined) return undefined
    const { socket } = incoming
    if (!this.#senders.has(socket)) this.#senders.set(socket, this.#find(call, incoming, client))
    return this.#senders.get(socket)
  }

  #find({ server, request }: HookCall, incoming: IncomingMessage, client: string) {
    const names = processNamesOf(client)
    if (names === undefined) return undefined
    if (!isLoopback(incoming.socket.remoteAddress)) {
      this.#registry?.noteApart(client, true)
      return undefined
    }
    const isCommand = request.headers.get(hookHeader) === 'command'
    const mac = readSignature(request.headers.get('authorization'))?.mac
    // A hook sent by hand must not turn the terminal it came from into a guarded client.
    const found = peerAncestors(incoming, mac)
      .slice(0, isCommand ? maxBetween : 1)
      .find(({ pid }) => names.includes(programName(pid)))
    if (found === undefined) return undefined
    server.auth.guarded.add(found)
    this.#registry?.noteApart(client, belongsToOther(found.pid))
    return processKey(found)
  }
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || /^(::ffff:)?127\.|^::1$/.test(address)
}
