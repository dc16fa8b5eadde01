import { BoundedMap } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { type NodeNotes, SharedUses } from './shared-uses.ts'
import type { ToolUse } from './tool-use.ts'
import { UnnamedCalls } from './unnamed-calls.ts'
import { WaitingCalls } from './waiting-calls.ts'

interface Announced {
  readonly use: ToolUse
  readonly toUs: boolean
  readonly at: number
}

/** What is known of a call that a client says has run. */
export interface Standing {
  /** Whether its client hook took it for one of our own server's; undefined without such a hook. */
  readonly toUs: boolean | undefined
  /** Whether our own server was really asked. */
  readonly hasArrived: boolean
  /** Whether it was written down already as one that nobody judged. */
  readonly isReported: boolean
}

/** A path that a client's own tool is about to open, and where it led when the call was judged. */
export interface JudgedPath {
  /** With the links of its folder followed. */
  readonly path: string
  readonly real: string
}

const maxKnown = 10_000
/** A call follows its client hook at once; an older announcement belongs to something else. */
const retentionMs = 10 * 60_000

/**
 * Tool uses that client hooks have announced. MCP tells no session, but a client may put into each
 * call the id that its hook named just before: joined by it, a call finds its session, and a
 * sub-agent its branch. Ids count only under the token that announced them.
 */
export class ToolUses {
  readonly #announced = new BoundedMap<string, Announced>(maxKnown)
  readonly #arrived = new BoundedMap<string, true>(maxKnown)
  readonly #reported = new BoundedMap<string, true>(maxKnown)
  readonly #allowed = new BoundedMap<string, true>(maxKnown)
  readonly #judged = new BoundedMap<string, readonly JudgedPath[]>(maxKnown)
  readonly now: () => number
  /** For clients that give their calls no id: in their hooks, and in MCP. */
  readonly unnamed = new UnnamedCalls()
  readonly waiting: WaitingCalls
  /** Before this, calls were announced to another server process, or to none. */
  readonly since: number

  /** What other nodes know; absent where there are none. */
  readonly shared: SharedUses | undefined

  constructor(now: () => number, nodes?: NodeNotes) {
    this.now = now
    this.shared = nodes === undefined ? undefined : new SharedUses(nodes, this)
    this.waiting = new WaitingCalls(now)
    this.since = now()
  }

  announce(caller: Caller, toolUseId: string, use: ToolUse, { toUs = false } = {}): void {
    this.#announced.set(keyOf(caller, toolUseId), { use, toUs, at: this.now() })
  }

  /** Announced to another node, so long ago. */
  learn(caller: Caller, toolUseId: string, use: ToolUse, ageMs: number): void {
    const at = this.now() - ageMs
    this.#announced.set(keyOf(caller, toolUseId), { use, toUs: true, at })
  }

  find(caller: Caller, toolUseId: string): ToolUse | undefined {
    const found = this.#announced.get(keyOf(caller, toolUseId))
    if (found === undefined || this.now() - found.at > retentionMs) return undefined
    return found.use
  }

  /** A call was let through, or judges itself at our own server. */
  allow(caller: Caller, toolUseId: string): void {
    this.#allowed.set(keyOf(caller, toolUseId), true)
  }

  /** Whether a call was let through; true once for each. */
  takeAllowed(caller: Caller, toolUseId: string): boolean {
    return this.#allowed.delete(keyOf(caller, toolUseId))
  }

  /** What a call that was let through is about to open. */
  judge(caller: Caller, toolUseId: string, paths: readonly JudgedPath[]): void {
    if (paths.length > 0) this.#judged.set(keyOf(caller, toolUseId), paths)
  }

  /** The same, once. */
  takeJudged(caller: Caller, toolUseId: string): readonly JudgedPath[] {
    const key = keyOf(caller, toolUseId)
    const paths = this.#judged.get(key)
    this.#judged.delete(key)
    return paths ?? []
  }

  /** A call has come to our own server. */
  arrive(caller: Caller, toolUseId: string): void {
    this.#arrived.set(keyOf(caller, toolUseId), true)
  }

  /** It was written down that nobody judged the call, which is told once. */
  tell(caller: Caller, toolUseId: string): void {
    this.#reported.set(keyOf(caller, toolUseId), true)
  }

  /** However old the announcement: a call may take hours. */
  standing(caller: Caller, toolUseId: string): Standing {
    const key = keyOf(caller, toolUseId)
    return {
      toUs: this.#announced.get(key)?.toUs,
      hasArrived: this.#arrived.has(key),
      isReported: this.#reported.has(key),
    }
  }
}

function keyOf(caller: Caller, toolUseId: string): string {
  return `${caller.tokenId}\n${toolUseId}`
}
