import type { Caller } from '../runtime/caller.ts'
import type { ToolUse } from './tool-use.ts'
import { UnnamedCalls } from './unnamed-calls.ts'
import { WaitingCalls } from './waiting-calls.ts'

interface Announced extends ToolUse {
  readonly at: number
}

const mostKnown = 10_000
/** A call follows its client hook at once; an older announcement belongs to something else. */
const keptMs = 10 * 60_000

/**
 * Tool uses that client hooks have announced. MCP tells no session, but a client may put into each
 * call the id that its hook named just before: joined by it, a call finds its session, and a
 * sub-agent its branch. Ids count only under the token that announced them.
 */
export class ToolUses {
  readonly #announced = new Map<string, Announced>()
  readonly #now: () => number
  /** For clients that give their calls no id: in their hooks, and in MCP. */
  readonly unnamed = new UnnamedCalls()
  readonly waiting: WaitingCalls
  /** Before this, calls were announced to another server process, or to none. */
  readonly since: number

  constructor(now: () => number) {
    this.#now = now
    this.waiting = new WaitingCalls(now)
    this.since = now()
  }

  announce(caller: Caller, toolUseId: string, use: ToolUse): void {
    const key = keyOf(caller, toolUseId)
    this.#announced.delete(key)
    this.#announced.set(key, { ...use, at: this.#now() })
    if (this.#announced.size <= mostKnown) return
    const oldest = this.#announced.keys().next().value
    if (oldest !== undefined) this.#announced.delete(oldest)
  }

  find(caller: Caller, toolUseId: string): ToolUse | undefined {
    const found = this.#announced.get(keyOf(caller, toolUseId))
    if (found === undefined || this.#now() - found.at > keptMs) return undefined
    const { at: _at, ...use } = found
    return use
  }
}

function keyOf(caller: Caller, toolUseId: string): string {
  return `${caller.tokenId}\n${toolUseId}`
}
