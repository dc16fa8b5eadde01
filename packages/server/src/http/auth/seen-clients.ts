import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { codingClients } from '../../gateway/client-hook.ts'
import type { Caller } from '../../runtime/caller.ts'
import type { Auth } from './auth.ts'
import { readStat } from './guarded-processes.ts'
import { peerProcess } from './peer-process.ts'

interface HookCall {
  readonly parts: { readonly auth: Auth }
  readonly request: Request
  readonly incoming: IncomingMessage | undefined
}

/** Set by the hook command: then the client is not our peer but its parent. */
export const hookHeader = 'statewright-hook'

/** Looking costs a walk through the kernel's tables, so that it is done now and then only. */
const lookAgainMs = 30_000
const mostKnown = 1000

/** Remembers which processes are guarded clients, by the hooks that they send. */
export class SeenClients {
  readonly #lookedAt = new Map<string, number>()

  note({ parts, request, incoming }: HookCall, caller: Caller, client: string): void {
    const names = codingClients.get(client)?.processNames
    const isCommand = request.headers.get(hookHeader) === 'command'
    if (names === undefined || incoming === undefined || !this.#isDue(caller, isCommand)) return
    const { remotePort: peerPort, localPort: ownPort } = incoming.socket
    if (peerPort === undefined || ownPort === undefined) return
    const peer = peerProcess({ peerPort, ownPort })
    const pid = isCommand && peer !== undefined ? readStat(peer)?.parent : peer
    const startTime = pid === undefined ? undefined : readStat(pid)?.startTime
    // A hook sent by hand must not turn the terminal it came from into a guarded client.
    if (pid === undefined || startTime === undefined || !names.includes(nameOf(pid))) return
    parts.auth.guarded.add({ pid, startTime })
  }

  #isDue({ tokenId }: Caller, isCommand: boolean): boolean {
    if (isCommand) return true
    const now = performance.now()
    const last = this.#lookedAt.get(tokenId)
    if (last !== undefined && now - last < lookAgainMs) return false
    if (this.#lookedAt.size >= mostKnown) this.#lookedAt.clear()
    this.#lookedAt.set(tokenId, now)
    return true
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
