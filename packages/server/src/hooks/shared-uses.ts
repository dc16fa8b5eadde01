import type { Caller } from '../base/caller.ts'
import type { ToolUse } from './tool-use.ts'
import { alikeKey, type OwnCall, type WaitingCalls } from './waiting-calls.ts'

/** What this node itself knows. */
interface OwnUses {
  readonly now: () => number
  readonly waiting: WaitingCalls
  arrive(caller: Caller, callId: string): void
  learn(caller: Caller, callId: string, use: ToolUse, ageMs: number): void
}

interface Note {
  readonly topic: string
  readonly key: string
  readonly body: string
}

/** What nodes tell each other through the store that they share. */
export interface NodeNotes {
  note(note: Note, ms: number): Promise<void>
  notes(topic: string): Promise<readonly (Note & { readonly ageMs: number })[]>
  dropNote(note: Pick<Note, 'topic' | 'key'>): Promise<void>
}

/** A call may take hours; then its result is told to whichever node. */
const noteMs = 24 * 60 * 60_000
/** The MCP call follows its client hook at once. */
const alikeMs = 60_000

/**
 * Calls of our own tools that were announced to one node and come to another, or whose result is
 * told to a third (ND-6). What one node knows is written before it answers; what another does not
 * know it looks up before it says that nobody does.
 */
export class SharedUses {
  readonly #nodes: NodeNotes
  readonly #uses: OwnUses

  constructor(nodes: NodeNotes, uses: OwnUses) {
    this.#nodes = nodes
    this.#uses = uses
  }

  async announced(caller: Caller, callId: string, use: ToolUse): Promise<void> {
    const body = JSON.stringify(use)
    await this.#nodes.note({ topic: topicOf(caller, callId), key: 'use', body }, noteMs)
  }

  /** The same for a client that gives its calls no id: known by what the call says. */
  async waits(caller: Caller, call: OwnCall, callId: string, use: ToolUse): Promise<void> {
    const topic = alikeTopic(caller, call)
    await this.#nodes.note({ topic, key: callId, body: JSON.stringify(use) }, alikeMs)
  }

  async arrived(caller: Caller, callId: string): Promise<void> {
    await this.#nodes.note({ topic: topicOf(caller, callId), key: 'arrived', body: '' }, noteMs)
  }

  /** It was joined with its announcement, and no other is. */
  async joined(caller: Caller, call: OwnCall, callId: string): Promise<void> {
    await this.#nodes.dropNote({ topic: alikeTopic(caller, call), key: callId })
  }

  /** Looks up what other nodes know of a call. */
  async learn(caller: Caller, callId: string): Promise<void> {
    for (const { key, body, ageMs } of await this.#nodes.notes(topicOf(caller, callId))) {
      if (key === 'arrived') this.#uses.arrive(caller, callId)
      else this.#uses.learn(caller, callId, readUse(body), ageMs)
    }
  }

  /** Looks up calls that say the same. */
  async learnAlike(caller: Caller, call: OwnCall): Promise<void> {
    for (const { key, body, ageMs } of await this.#nodes.notes(alikeTopic(caller, call))) {
      const at = this.#uses.now() - ageMs
      this.#uses.waiting.learn(caller, call, { callId: key, use: readUse(body), at })
    }
  }
}

function topicOf({ tokenId }: Caller, callId: string): string {
  return `call ${tokenId}\n${callId}`
}

function alikeTopic(caller: Caller, call: OwnCall): string {
  return `alike ${alikeKey(caller, call)}`
}

/** Written above, by this program on another node. */
function readUse(body: string): ToolUse {
  return JSON.parse(body)
}
