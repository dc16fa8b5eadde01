import { BoundedMap } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { callDigest } from '../clients/call-digest.ts'
import type { ToolUse } from './tool-use.ts'

/** A call of our own tools as both doors see it. */
export interface OwnCall {
  readonly tool: string
  readonly input: unknown
}

interface Waiting {
  readonly callId: string
  readonly use: ToolUse
  readonly process: string | undefined
  readonly at: number
}

/** Which announced call an MCP call is; between two it is never guessed. */
export type Match =
  | { readonly kind: 'found'; readonly use: ToolUse; readonly callId: string }
  | { readonly kind: 'several'; readonly callIds: readonly string[] }
  | { readonly kind: 'none' }

const maxKinds = 5000
const maxAlike = 50
/** The MCP call follows its client hook at once. */
const retentionMs = 60_000

/**
 * Calls of our own tools that client hooks have announced, for clients whose MCP calls carry no id
 * at all. A call is joined by what it says: the token, the tool and the very input. Two sessions
 * that say the same at the same time are told apart by the process that both doors descend from.
 */
export class WaitingCalls {
  readonly #alike = new BoundedMap<string, Waiting[]>(maxKinds)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(caller: Caller, call: OwnCall, announced: Pick<Waiting, 'callId' | 'use' | 'process'>): void {
    const key = alikeKey(caller, call)
    const alike = [...this.#fresh(key), { ...announced, at: this.#now() }].slice(-maxAlike)
    this.#alike.set(key, alike)
  }

  /** Announced to another node: known here as well from now on. */
  learn(caller: Caller, call: OwnCall, announced: Pick<Waiting, 'callId' | 'use' | 'at'>): void {
    const key = alikeKey(caller, call)
    this.#alike.set(key, [...this.#fresh(key), { ...announced, process: undefined }])
  }

  /** `ancestors` is costly to find out and asked for only where it decides. */
  take(caller: Caller, call: OwnCall, ancestors: () => readonly string[]): Match {
    if (this.#alike.size === 0) return { kind: 'none' }
    const key = alikeKey(caller, call)
    const all = this.#fresh(key)
    if (all.length === 0) return { kind: 'none' }
    const candidates = isOneCaller(all) ? all : ofProcess(all, ancestors())
    // The newest, since a result too belongs to the newest call that asked for the same.
    const newest = candidates.at(-1)
    if (newest === undefined || !isOneCaller(candidates)) {
      return { kind: 'several', callIds: all.map(({ callId }) => callId) }
    }
    this.#alike.set(
      key,
      all.filter((waiting) => waiting !== newest),
    )
    return { kind: 'found', use: newest.use, callId: newest.callId }
  }

  #fresh(key: string): readonly Waiting[] {
    const oldest = this.#now() - retentionMs
    return (this.#alike.get(key) ?? []).filter(({ at }) => at >= oldest)
  }
}

function isOneCaller(waiting: readonly Waiting[]): boolean {
  const callers = waiting.map(({ use }) => `${use.client}\n${use.session}\n${use.agentId ?? ''}`)
  return new Set(callers).size === 1
}

function ofProcess(waiting: readonly Waiting[], ancestors: readonly string[]): Waiting[] {
  return waiting.filter(({ process }) => process !== undefined && ancestors.includes(process))
}

export function alikeKey({ tokenId }: Caller, { tool, input }: OwnCall): string {
  return callDigest(tokenId, tool, input)
}
