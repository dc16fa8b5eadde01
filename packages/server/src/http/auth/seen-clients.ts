import type { IncomingMessage } from 'node:http'
import { BoundedMap } from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { HttpRequest } from '../../base/http-request.ts'
import { type ProcessRef, processKey } from '../../base/process-start.ts'
import { processNamesOf } from '../../clients/coding-clients.ts'
import type { ClientRegistry } from '../../hooks/client-registry.ts'
import type { Auth } from './auth.ts'
import { belongsToOther, claimedAncestors, peerAncestors, programName } from './peer-ancestors.ts'

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

/** The client's process behind a hook, as `processKey` names it. */
export interface SeenProcess {
  /**
   * Where it was found; of a client that was found before, by the word of its signed hook. Reading
   * the kernel's tables takes milliseconds, and all that is known of such a client stays as it is.
   */
  readonly key: string | undefined
  /** The process that holds the connection, for what opens anything to it. */
  readonly prove: () => string | undefined
}

const nobody: SeenProcess = { key: undefined, prove: () => undefined }

/** Remembers which processes are guarded clients, by the hooks that they send. */
export class SeenClients {
  readonly #proven = new BoundedMap<string, true>(maxKnown)
  readonly #lookedAt = new BoundedMap<string, number>(maxKnown)
  readonly #registry: ClientRegistry | undefined

  constructor(registry?: ClientRegistry) {
    this.#registry = registry
  }

  note(call: HookCall, caller: Caller, client: string): SeenProcess {
    const { server, request, incoming } = call
    const names = processNamesOf(client)
    const isCommand = request.headers.get(hookHeader) === 'command'
    if (names === undefined || incoming === undefined) return nobody
    if (!this.#isDue(caller, isCommand)) return nobody
    if (!isLoopback(incoming.socket.remoteAddress)) {
      this.#registry?.noteApart(client, true)
      return nobody
    }
    // A hook sent by hand must not turn the terminal it came from into a guarded client.
    const clientAmong = (ancestors: readonly ProcessRef[]) =>
      ancestors
        .slice(0, isCommand ? maxBetween : 1)
        .find(({ pid }) => names.includes(programName(pid)))
    const look = (): string | undefined => {
      const found = clientAmong(peerAncestors(incoming))
      if (found === undefined) return undefined
      server.auth.guarded.add(found)
      this.#registry?.noteApart(client, belongsToOther(found.pid))
      this.#proven.set(provenKey(caller, client, found), true)
      return processKey(found)
    }
    const claimed = isCommand ? clientAmong(claimedAncestors(incoming)) : undefined
    const isKnown =
      claimed !== undefined &&
      server.auth.guarded.has(claimed) &&
      this.#proven.has(provenKey(caller, client, claimed))
    if (isKnown) return { key: processKey(claimed), prove: once(look) }
    const key = look()
    return { key, prove: () => key }
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

function provenKey({ tokenId }: Caller, client: string, found: ProcessRef): string {
  return `${tokenId} ${client} ${processKey(found)}`
}

function once<Value>(work: () => Value): () => Value {
  let done: { readonly value: Value } | undefined
  return () => {
    done ??= { value: work() }
    return done.value
  }
}

function isLoopback(address: string | undefined): boolean {
  return address === undefined || /^(::ffff:)?127\.|^::1$/.test(address)
}
