import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ResourceNotFoundError,
  type Tool,
} from '@modelcontextprotocol/server'
import { isJsonObject, own } from '@statewright/core'
import type { CheckAnswer } from '../../runtime/check-call.ts'
import { lost } from '../../upstream/problem.ts'
import type { JsonParams, Upstream } from '../../upstream/upstream.ts'
import type { ToolCaller } from '../callers-run.ts'
import { cutResult, roomFor, sizeOf } from './cut-result.ts'
import type { Front } from './front.ts'
import { type Guarded, type JudgeParts, judgeAndRun, type Outcome } from './judge-forward.ts'
import type { Fronted } from './names.ts'
import { type PassOn, passOn, waitingNotice } from './pass-on.ts'
import { refusalBody, refusalResult } from './results.ts'

export interface FrontParts extends JudgeParts {
  readonly front: Front
}

/** How one request came to us. */
export interface Asked extends PassOn {
  readonly from: ToolCaller
}

/** A tool of a server behind us: judged, passed on, written down. */
export async function callFronted(
  parts: FrontParts,
  asked: Asked,
  { server, thing }: Fronted<Tool>,
  args: unknown,
): Promise<CallToolResult | InputRequiredResult> {
  const upstream = parts.front.upstreams.find(server)
  if (upstream === undefined) throw new ProtocolError(-32_602, `${server} is gone`)
  const { name } = thing
  let room: number | null = null
  const done = await guarded(parts, asked, {
    upstream,
    tool: name,
    input: args,
    method: 'tools/call',
    // Exactly what was judged is what is sent.
    params: { name, arguments: args },
    beforeFinish: async (allowed) => {
      room = await roomFor(parts.runtime, asked.from.caller, allowed)
    },
    outcome: (given) => {
      const told = toolOutcome(given)
      // What is cut away never reaches the model, so that it does not count either.
      return room === null ? told : { ...told, bytes: Math.min(told.bytes, room) }
    },
  })
  if (done.kind === 'refused') return refusalResult(done.refusal)
  return withNotices(cutResult(done.given, room), done.notices)
}

/** Resources and prompts have no result that says no: there a refusal is an error. */
export async function readFronted(
  parts: FrontParts,
  asked: Asked,
  uri: string,
): Promise<JsonParams> {
  const upstream = parts.front.ownerOf(uri)
  if (upstream === undefined) throw new ResourceNotFoundError(uri)
  const done = await guarded(parts, asked, {
    upstream,
    tool: 'read_resource',
    input: { uri },
    method: 'resources/read',
    params: { uri },
    outcome: (given) => ({ bytes: sizeOf(given.contents), exit: 'success' }),
  })
  return givenOrError(done)
}

export async function promptFronted(
  parts: FrontParts,
  asked: Asked,
  prompt: { readonly name: string; readonly arguments?: Record<string, string> | undefined },
): Promise<JsonParams> {
  const fronted = parts.front.prompts.get(prompt.name)
  const upstream = fronted && parts.front.upstreams.find(fronted.server)
  if (fronted === undefined || upstream === undefined) {
    throw new ProtocolError(-32_602, `There is no prompt ${prompt.name.slice(0, 100)}.`)
  }
  const { name } = fronted.thing
  const args = prompt.arguments
  const done = await guarded(parts, asked, {
    upstream,
    tool: 'get_prompt',
    input: { name, ...(args === undefined ? {} : { arguments: args }) },
    method: 'prompts/get',
    params: { name, ...(args === undefined ? {} : { arguments: args }) },
    outcome: (given) => ({ bytes: sizeOf(given.messages), exit: 'success' }),
  })
  return givenOrError(done)
}

interface Wanted {
  readonly upstream: Upstream
  readonly tool: string
  readonly input: unknown
  readonly method: string
  readonly params: JsonParams
  /** Looks at the run once the result is there, before it is written down. */
  readonly beforeFinish?: (allowed: CheckAnswer) => Promise<void>
  readonly outcome: (given: JsonParams) => Outcome
}

function guarded(parts: FrontParts, asked: Asked, wanted: Wanted): Promise<Guarded<JsonParams>> {
  const { upstream, tool, input, method, params, outcome } = wanted
  return judgeAndRun(parts, {
    from: asked.from,
    meta: asked.context.mcpReq._meta,
    server: upstream.name,
    tool,
    input,
    signal: asked.context.mcpReq.signal,
    onStillWaiting: waitingNotice(asked),
    run: async (allowed) => {
      const given = await passOn(upstream, asked, method, params)
      if (!isWellFormed(given)) throw lost(upstream.name, 'what it said is no result')
      await wanted.beforeFinish?.(allowed)
      return given
    },
    outcome,
  })
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

function givenOrError(done: Guarded<JsonParams>): JsonParams {
  if (done.kind === 'done') return done.given
  const { code, message } = done.refusal
  throw new ProtocolError(-32_603, `${code}: ${message}`, refusalBody(done.refusal))
}

function toolOutcome(given: JsonParams): Outcome {
  const meta = own(given, '_meta')
  const cost = isJsonObject(meta) ? own(meta, 'cost_usd') : undefined
  const isKnown = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
  return {
    bytes: sizeOf(given.content) + sizeOf(given.structuredContent),
    exit: exitOf(given),
    ...(isKnown ? { costUsd: Math.min(cost, mostCostUsd) } : {}),
  }
}

/** A server cannot spend more than this in one call, whatever it says. */
const mostCostUsd = 1_000_000

/** A call that asks back has not come to its end. */
function exitOf(given: JsonParams): Outcome['exit'] {
  if (given.resultType === 'input_required') return null
  return given.isError === true ? 'failure' : 'success'
}

/** The result as it came, and behind it what the run has to say, an interrupt above all. */
function withNotices(
  given: JsonParams,
  notices: readonly string[],
): CallToolResult | InputRequiredResult {
  if (isInputRequiredResult(given)) return given
  const content = Array.isArray(given.content) ? given.content : []
  if (notices.length === 0) return { ...given, content }
  return { ...given, content: [...content, { type: 'text', text: notices.join('\n') }] }
}
