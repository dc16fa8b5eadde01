import { type Caller, peoplesSessionKey, sessionKey } from '../base/caller.ts'
import { claudeCode } from '../clients/claude-code.ts'
import type { ClientAnswer, ClientCall, CodingClient, HookOrigin } from '../clients/client.ts'
import { clientOf } from '../clients/coding-clients.ts'
import type { ExecTickets } from '../guard/exec/exec-tickets.ts'
import type { Guard } from '../guard/guard.ts'
import { answerEvent } from './client-event.ts'
import type { ClientRegistry } from './client-registry.ts'
import type { HookCall } from './hook-call.ts'
import type { ToolUses } from './tool-uses.ts'
import { noteChangedProgram } from './unjudged-calls.ts'
import { answerUnnamed } from './unnamed-event.ts'

export interface HookOptions {
  readonly guard: Guard
  readonly toolUses: ToolUses
  readonly exec?: ExecTickets
  readonly registry?: ClientRegistry
  /** Whether our gateway offers a tool of this name, besides our own, right now. */
  readonly isFronted?: (tool: string) => boolean
  /** Told what went wrong; the client only hears that something did. */
  readonly onFault?: (fault: unknown) => void
  /** Told of calls that ran without being judged. */
  readonly onUnjudged?: (runId: string, text: string) => void
  /** The folder of an installed hook program that is not what was installed, if there is one. */
  readonly changedProgram?: () => string | undefined
  readonly deadlineMs?: number
  /** Resolves when the run that judges an agent session knows what it has cost so far. */
  readonly costReported?: (session: string) => Promise<void>
}

export interface HookRequest {
  readonly client: string
  /** Undefined when the token does not count: that too must be told in the client's dialect. */
  readonly caller: Caller | undefined
  /** The body as it was sent; undefined when it could not be read. */
  readonly text: string | undefined
  readonly origin?: HookOrigin
  /** The client's process, where the kernel shows it. */
  readonly process?: string | undefined
  /** The home that the client has, where its hook tells one. */
  readonly home?: string | undefined
  /** Aborted when the client asks no longer. */
  readonly signal?: AbortSignal | undefined
}

/** Shorter than the client's own timeout, after which many clients would let the call pass. */
const defaultDeadlineMs = 8000

/**
 * Answers a client hook in the client's own dialect. It never throws and never says anything but
 * a well-formed answer: an error status would open the gate of most clients (invariant 1).
 */
export async function answerClientHook(
  options: HookOptions,
  request: HookRequest,
): Promise<object> {
  const body = parseJson(request.text)
  const known = clientOf(request.client, body)
  const client = known ?? claudeCode
  try {
    const judging = judge(options, known, request, body)
    // An agent that we started waits for a person as long as its session does.
    const waits = request.caller?.session !== undefined
    return client.render(body, await (waits ? judging : withinDeadline(options, judging)))
  } catch (fault) {
    options.onFault?.(fault)
    return client.render(body, { kind: 'fault', text: couldNot('An internal error happened.') })
  }
}

async function judge(
  options: HookOptions,
  client: CodingClient | undefined,
  { caller, client: name, origin = {}, process, home, signal }: HookRequest,
  body: unknown,
): Promise<ClientAnswer> {
  const { guard, toolUses, exec, registry, isFronted, onFault, onUnjudged, costReported } = options
  if (client === undefined) return fault(`There is no coding client called ${name.slice(0, 50)}.`)
  if (caller === undefined) {
    return fault(
      'The token of the hook is invalid or revoked (unauthenticated). Install the hook again.',
    )
  }
  const hasOnlyOurServer = caller.session !== undefined
  const parsed = client.parse(body, { ...origin, isFronted, hasOnlyOurServer })
  if (!parsed.ok) return fault(parsed.error.message)
  const session = caller.session ?? parsed.value.session
  const call = { ...parsed.value, session }
  const changed = caller.session === undefined ? options.changedProgram?.() : undefined
  if (changed !== undefined) {
    await noteChangedProgram({ runtime: guard.runtime, caller, call, onUnjudged }, changed)
    const message = `The hook program in ${changed} is not the one that was installed.`
    return fault(`${message} A person must install it again with "statewright install".`)
  }
  if (caller.session !== undefined) await costReported?.(caller.session)
  registry?.note(client.name, call.session, guard.runtime.clock.now())
  noteAtWork(guard, caller, call, process)
  const { agentId } = call
  const actor: Caller = {
    ...caller,
    client: client.name,
    ...(agentId === undefined ? {} : { agentId }),
  }
  const hook: HookCall = {
    guard,
    runtime: guard.runtime,
    toolUses,
    exec,
    client,
    caller: actor,
    call,
    body,
    process,
    home,
    signal,
    onFault,
    onUnjudged,
  }
  return client.namesCalls === false ? answerUnnamed(hook) : answerEvent(hook)
}

/** A session that is at work keeps its run; one that ended may be taken up by the next. */
function noteAtWork(
  { runtime: { atWork } }: Guard,
  caller: Caller,
  { session, event }: ClientCall,
  process: string | undefined,
): void {
  for (const key of [sessionKey(caller, session), peoplesSessionKey(session)]) {
    if (event.type === 'session_ended') atWork.end(key)
    else atWork.note(key, process)
  }
}

function fault(message: string): ClientAnswer {
  return { kind: 'fault', text: couldNot(message) }
}

function couldNot(message: string): string {
  return `internal: Denied, because Statewright could not check this call. ${message}`
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function withinDeadline<Value>(
  { deadlineMs = defaultDeadlineMs }: HookOptions,
  work: Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
