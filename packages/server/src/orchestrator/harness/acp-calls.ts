import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { isJsonObject, type Json } from '@statewright/core/internal'
import type { AgentCallGuard, HarnessPart } from '../ports.ts'

type Judgement = Awaited<ReturnType<AgentCallGuard['judge']>>

/** What is known of a call so far; an agent tells it piece by piece. */
interface Call {
  name: string
  arguments: Json
  isOver: boolean
  /** How far it was last told to be. */
  shown?: 'queued' | 'running'
  /** What our judge said, once it has. */
  isAllowed?: boolean
  /** The agent tells an error result of a command from a good one. */
  tellsErrors: boolean
  judged?: Promise<Judgement>
  /** What was judged, as text: the same id with another input is another question. */
  judgedText?: string
}

export interface AcpCallsOptions {
  readonly guard: AgentCallGuard
  /** What the run says after a result; an agent can be told no earlier than with its next turn. */
  readonly onNotice: (text: string) => void
  /** The name under which the agent knows the server with our own tools, if it has them. */
  readonly ourServer?: string
}

const maxOutput = 4000
const unknownName = 'unknown'
/** Claude Code says only in words that a command goes on, on its timeout as well (WF-31). */
const unfinished = /moved to the background \(ID|backgrounded by user|running in background with ID/

/** The calls of one turn: asks our judge about each once, and tells how they went. */
export class AcpCalls {
  readonly #options: AcpCallsOptions
  readonly #ours: string | undefined
  readonly #calls = new Map<string, Call>()
  /** Calls that ran although the agent never asked: judged afterwards. */
  readonly #late: Promise<string | undefined>[] = []
  /** Results that the run is being told. */
  readonly #pending = new Set<Promise<void>>()

  constructor(options: AcpCallsOptions) {
    const { ourServer } = options
    this.#options = options
    this.#ours = ourServer === undefined ? undefined : `mcp__${ourServer}__`
  }

  /** Judges a call that the agent asks about before it runs. */
  async permit(update: ToolCallUpdate): Promise<Judgement> {
    // A result that came before may forbid what is asked now.
    await Promise.all(this.#pending)
    const call = this.#learn(update)
    if (call.judgedText !== undefined && call.judgedText !== questionOf(call)) delete call.judged
    return this.#judgeOnce(update.toolCallId, call)
  }

  /** The pieces that an update amounts to. */
  read(update: SessionUpdate): HarnessPart[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return textParts('text_delta', update.content)
      case 'agent_thought_chunk':
        return textParts('thinking_delta', update.content)
      case 'tool_call':
      case 'tool_call_update':
        return this.#readCall(update)
      default:
        return []
    }
  }

  /** What the judge said of a call that ran unasked, once it has said no to one. */
  async firstDenied(): Promise<string | undefined> {
    await Promise.all(this.#pending)
    return (await Promise.all(this.#late)).find((message) => message !== undefined)
  }

  #readCall(update: ToolCallUpdate): HarnessPart[] {
    const callId = update.toolCallId
    const call = this.#learn(update)
    const parts = beginning(callId, call, update)
    if (update.status !== 'completed' && update.status !== 'failed') return parts
    if (call.isOver) return parts
    call.isOver = true
    const isError = update.status === 'failed'
    // What failed may be what the agent itself turned away; what worked has done its deed.
    if (!isError && call.judged === undefined) {
      const judged = this.#judgeOnce(callId, call)
      this.#late.push(judged.then(({ isAllowed, message }) => (isAllowed ? undefined : message)))
    }
    this.#tellEnd(callId, call, update)
    const { name, arguments: args } = call
    const output = outputOf(update).slice(0, maxOutput)
    // What the agent itself turned away was never asked about.
    const untouched = isError && call.isAllowed !== true ? { changedNothing: true } : {}
    const ended = { callId, name, arguments: args, status: 'succeeded', isError }
    const payload = { ...ended, ...(output === '' ? {} : { output }), ...untouched }
    return [...parts, { type: 'tool_call_completed', payload }]
  }

  #tellEnd(callId: string, call: Call, update: ToolCallUpdate): void {
    const output = outputOf(update)
    const good = call.tellsErrors && !unfinished.test(output) ? 'success' : null
    const exit = update.status === 'failed' ? 'failure' : good
    const result = { callId, bytes: Buffer.byteLength(output), exit, output } as const
    const { guard, onNotice } = this.#options
    const telling = (call.judged ?? Promise.resolve())
      .then(() => guard.finished(result))
      .then((notices) => notices.forEach(onNotice))
      .catch(() => {})
      .finally(() => this.#pending.delete(telling))
    this.#pending.add(telling)
  }

  #judgeOnce(callId: string, call: Call): Promise<Judgement> {
    const { name, arguments: args } = call
    if (call.judged === undefined) call.judgedText = questionOf(call)
    // They come back to us, where they judge themselves.
    if (this.#ours !== undefined && name.startsWith(this.#ours)) {
      call.judged ??= Promise.resolve({ isAllowed: true, message: '' })
    }
    call.judged ??= this.#options.guard.judge({ callId, name, arguments: args }).catch(() => ({
      isAllowed: false,
      message: 'The call could not be checked, so it is denied.',
    }))
    void call.judged.then(({ isAllowed }) => {
      call.isAllowed = isAllowed
    })
    return call.judged
  }

  #learn(update: ToolCallUpdate): Call {
    const known = this.#calls.get(update.toolCallId) ?? {
      name: unknownName,
      arguments: {},
      isOver: false,
      tellsErrors: false,
    }
    known.tellsErrors ||= update._meta?.claudeCode !== undefined
    const name = nameOf(update)
    if (name !== undefined && (known.name === unknownName || isExact(update))) known.name = name
    const input = inputOf(update)
    if (input !== undefined) known.arguments = input
    this.#calls.set(update.toolCallId, known)
    return known
  }
}

/** Tells a call when it is first heard of, and when it runs. */
function beginning(callId: string, call: Call, { status }: ToolCallUpdate): HarnessPart[] {
  const shown = status === 'in_progress' ? 'running' : 'queued'
  if (call.isOver || call.shown === shown || call.shown === 'running') return []
  call.shown = shown
  const { name, arguments: args } = call
  return [{ type: 'tool_call_delta', payload: { callId, name, arguments: args, status: shown } }]
}

function questionOf({ name, arguments: args }: Call): string {
  return JSON.stringify([name, args])
}

/** Kinds of the protocol, by the names that definitions use. */
const byKind: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Edit',
  search: 'Grep',
  execute: 'Bash',
  fetch: 'WebFetch',
}

/** The agent's own name for the tool where it gives one; its kind tells less. */
function nameOf(update: ToolCallUpdate): string | undefined {
  if (typeof update.name === 'string' && update.name !== '') return update.name
  const claude = update._meta?.claudeCode
  if (isJsonObject(claude) && typeof claude.toolName === 'string') return claude.toolName
  const { kind } = update
  return typeof kind === 'string' && Object.hasOwn(byKind, kind) ? byKind[kind] : undefined
}

function isExact(update: ToolCallUpdate): boolean {
  return update.name !== undefined || update._meta?.claudeCode !== undefined
}

function inputOf({ rawInput }: ToolCallUpdate): Json | undefined {
  if (rawInput === undefined || rawInput === null) return undefined
  if (isJsonObject(rawInput) && Object.keys(rawInput).length === 0) return undefined
  // It came as JSON and goes on as such; going through text proves it.
  return JSON.parse(JSON.stringify(rawInput))
}

/** What the model reads of it, as far as the agent says. */
function outputOf({ rawOutput, content }: ToolCallUpdate): string {
  const output = rawOutput ?? content
  if (output === undefined || output === null) return ''
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

function textParts(
  type: 'text_delta' | 'thinking_delta',
  content: { readonly type: string },
): HarnessPart[] {
  if (!('text' in content) || typeof content.text !== 'string') return []
  return [{ type, payload: { text: content.text } }]
}
