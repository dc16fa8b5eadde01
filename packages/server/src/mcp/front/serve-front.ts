import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ResourceNotFoundError,
  type Tool,
} from '@modelcontextprotocol/server'
import { isJsonObject, type ObservedResult, own, toMicros } from '@statewright/core/internal'
import type { CallOutcome } from '../../guard/finish-call.ts'
import type { Adapter, OpenCall } from '../../guard/guarded-call.ts'
import { lost } from '../../upstream/problem.ts'
import type { JsonParams, Upstream } from '../../upstream/upstream.ts'
import { writtenPaths } from '../../upstream/written-paths.ts'
import type { ToolCaller } from '../tool-caller.ts'
import { asksByUrl, showOnce, type UrlRequest, urlQuestion } from './ask-by-url.ts'
import { cutResult, roomFor, sizeOf } from './cut-result.ts'
import { nameForeignWords } from './foreign-words.ts'
import type { Front } from './front.ts'
import { type Carried, type Guarded, guardedCall } from './guarded-call.ts'
import type { Fronted } from './names.ts'
import { passOn, waitingNotice } from './pass-on.ts'
import { Questions } from './questions.ts'
import { refusalBody, refusalResult } from './results.ts'

export interface FrontDependencies {
  readonly front: Front
  readonly askWaitMs: () => number
}

/** How one request came to us. */
export interface FrontRequest extends UrlRequest {
  readonly from: ToolCaller
}

/** A tool of a server behind us: judged, passed on, written down. */
export async function callFronted(
  dependencies: FrontDependencies,
  request: FrontRequest,
  { server, thing, name: listed }: Fronted<Tool>,
  args: unknown,
): Promise<CallToolResult | InputRequiredResult> {
  const upstream = dependencies.front.upstreams.find(server)
  if (upstream === undefined) throw new ProtocolError(-32_602, `${server} is gone`)
  const { name } = thing
  const done = await guarded(dependencies, request, {
    upstream,
    tool: name,
    listed,
    writes: writtenPaths(upstream.spec, thing),
    input: args,
    method: 'tools/call',
    // Exactly what was judged is what is sent.
    params: { name, arguments: args },
    read: async (raw, open) => {
      const room = await roomFor(request.from.runtime, open)
      const result = nameForeignWords(raw, server)
      const outcome = toolOutcome(result)
      if (room === null) return { value: result, outcome }
      // What is cut away never reaches the model, so that it does not count either.
      const bytes = Math.min(outcome.bytes, room)
      return { value: cutResult(result, room), outcome: { ...outcome, bytes } }
    },
  })
  if (!done.ok) return urlQuestion(request, done.error) ?? refusalResult(done.error)
  return withNotices(done.value.value, done.value.notices)
}

/** Resources and prompts have no result that says no: there a refusal is an error. */
export async function readFronted(
  dependencies: FrontDependencies,
  request: FrontRequest,
  uri: string,
): Promise<JsonParams> {
  const upstream = dependencies.front.ownerOf(uri)
  if (upstream === undefined) throw new ResourceNotFoundError(uri)
  const done = await guarded(dependencies, request, {
    upstream,
    tool: 'read_resource',
    input: { uri },
    method: 'resources/read',
    params: { uri },
    read: async (result) => good(judgedEachTime(result), sizeOf(result.contents)),
  })
  return resultOrError(done)
}

/** A client that keeps what it read would not ask again when the rules say no (SH-18f). */
function judgedEachTime(result: JsonParams): JsonParams {
  const { ttlMs: _ttl, cacheScope: _scope, ...rest } = result
  return rest
}

export async function promptFronted(
  dependencies: FrontDependencies,
  request: FrontRequest,
  prompt: { readonly name: string; readonly arguments?: Record<string, string> | undefined },
): Promise<JsonParams> {
  const fronted = dependencies.front.prompts.get(prompt.name)
  const upstream = fronted && dependencies.front.upstreams.find(fronted.server)
  if (fronted === undefined || upstream === undefined) {
    throw new ProtocolError(-32_602, `There is no prompt ${prompt.name.slice(0, 100)}.`)
  }
  const { name } = fronted.thing
  const args = prompt.arguments
  const done = await guarded(dependencies, request, {
    upstream,
    tool: 'get_prompt',
    input: { name, ...(args === undefined ? {} : { arguments: args }) },
    method: 'prompts/get',
    params: { name, ...(args === undefined ? {} : { arguments: args }) },
    read: async (result) => good(result, sizeOf(result.messages)),
  })
  return resultOrError(done)
}

/** Undefined where the rules say no: a client that completes words has no use for a reason. */
export async function completeFronted(
  dependencies: FrontDependencies,
  request: FrontRequest,
  call: Pick<ForwardedCall, 'upstream' | 'tool' | 'params'>,
): Promise<JsonParams | undefined> {
  const done = await guarded(dependencies, request, {
    ...call,
    input: call.params,
    method: 'completion/complete',
    read: async (result) => good(result, sizeOf(result.completion)),
  })
  return done.ok ? done.value.value : undefined
}

interface ForwardedCall {
  readonly upstream: Upstream
  readonly tool: string
  readonly listed?: string
  readonly writes?: readonly string[] | undefined
  readonly input: unknown
  readonly method: string
  readonly params: JsonParams
  /** What the client gets of an answer, and what of it counts. */
  readonly read: (result: JsonParams, open: OpenCall) => Promise<Carried<JsonParams>>
}

/** Calls that wait at one server; each holds a connection open. */
const maxWaiting = 500

function guarded(
  dependencies: FrontDependencies,
  request: FrontRequest,
  forwarded: ForwardedCall,
): Promise<Guarded<JsonParams>> {
  const { upstream, tool, listed, writes, input, method, params, read } = forwarded
  const how = { writes, ...(listed === undefined ? {} : { listed }) }
  const call = { ...mcpCall(request), ...how, server: upstream.name, tool, input }
  // The server behind us runs it, in an environment that is not ours to set.
  const facts = { name: upstream.name, runs: 'as_it_is' } as const
  const adapter = mcpAdapter(dependencies, facts, method === 'tools/call' ? request : undefined)
  return guardedCall(adapter, call, async (open) => {
    // A question of the server may come when the call is over, and its page would lead nowhere.
    const asked = { ...mcpCall(request), onStillWaiting: waitingNotice(request) }
    const questions = new Questions({ upstream, adapter, call: asked })
    const result = await passOn(upstream, request, method, params, questions).finally(() =>
      questions.end(),
    )
    if (!isWellFormed(result)) throw lost(upstream.name, 'its answer is not a result')
    return read(withoutOurs(result), open)
  })
}

/** What every call that comes by MCP brings along. */
export function mcpCall(request: FrontRequest) {
  const { meta, signal } = request.exchange
  const tell = waitingNotice(request)
  const show = showOnce(request)
  const onStillWaiting = (seconds: number, approvalId: string) => {
    tell(seconds)
    show(approvalId)
  }
  return { from: request.from, meta, signal, onStillWaiting }
}

/** Calls by MCP wait for a person, and what carries them out is ours or behind us. */
export function mcpAdapter(
  { askWaitMs }: Pick<FrontDependencies, 'askWaitMs'>,
  facts: Pick<Adapter, 'name' | 'runs'>,
  /** Of a tool: only there a client can be asked before the call waits. */
  request?: UrlRequest,
): Adapter {
  const waitsMs = request !== undefined && asksByUrl(request) ? 0 : askWaitMs()
  return { ...facts, waitsMs, maxWaiting, readsByShell: false, results: 'observed' }
}

function good(result: JsonParams, bytes: number): Carried<JsonParams> {
  return { value: result, outcome: { bytes, exit: 'success' } }
}

/** Enough that our clients can read it; what the parts of it say is between them and the server. */
function isWellFormed({ content, isError, contents, messages, _meta }: JsonParams): boolean {
  const lists = [content, contents, messages]
  return (
    lists.every((list) => list === undefined || Array.isArray(list)) &&
    (isError === undefined || typeof isError === 'boolean') &&
    (_meta === undefined || isJsonObject(_meta))
  )
}

function resultOrError(done: Guarded<JsonParams>): JsonParams {
  if (done.ok) return done.value.value
  const { code, message } = done.error
  throw new ProtocolError(-32_603, `${code}: ${message}`, refusalBody(done.error))
}

/** What stands under our name in a result is ours to say: a server could pass for a refusal. */
function withoutOurs(result: JsonParams): JsonParams {
  const meta = own(result, '_meta')
  if (!isJsonObject(meta)) return result
  const theirs = Object.entries(meta).filter(([key]) => !/^statewright\//i.test(key))
  return { ...result, _meta: Object.fromEntries(theirs) }
}

function toolOutcome(result: JsonParams): CallOutcome {
  const meta = own(result, '_meta')
  const cost = isJsonObject(meta) ? own(meta, 'cost_usd') : undefined
  const isKnown = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
  return {
    bytes: sizeOf(result.content) + sizeOf(result.structuredContent),
    exit: exitOf(result),
    output: textOf(result),
    result: observedOf(result),
    ...(isKnown ? { costMicros: toMicros(cost) } : {}),
  }
}

/** The structured content, else the first text (FC-2). */
function observedOf({ content, structuredContent }: JsonParams): ObservedResult {
  if (isJsonObject(structuredContent)) return { structured: structuredContent }
  const items = Array.isArray(content) ? content : []
  const first = items.find((part) => isJsonObject(part) && typeof part.text === 'string')
  return isJsonObject(first) && typeof first.text === 'string' ? { text: first.text } : {}
}

/** What a model reads of a result; what is no text is only named. */
function textOf({ content, structuredContent }: JsonParams): string {
  const items = Array.isArray(content) ? content : []
  const texts = items.map((part) => {
    if (!isJsonObject(part)) return ''
    return typeof part.text === 'string' ? part.text : `[${String(part.type)}]`
  })
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)]
  return [...texts, ...structured].join('\n')
}

/** A call that asks back has not come to its end. */
function exitOf(result: JsonParams): CallOutcome['exit'] {
  if (result.resultType === 'input_required') return null
  return result.isError === true ? 'failure' : 'success'
}

/** The result as it came, and behind it what the run has to say, an interrupt above all. */
function withNotices(
  result: JsonParams,
  notices: readonly string[],
): CallToolResult | InputRequiredResult {
  if (isInputRequiredResult(result)) return result
  const content = Array.isArray(result.content) ? result.content : []
  if (notices.length === 0) return { ...result, content }
  return { ...result, content: [...content, { type: 'text', text: notices.join('\n') }] }
}
