import {
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  type ReadResourceResult,
  Server,
  type ServerCapabilities,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Problem } from '@statewright/core/internal'
import type { Front } from './front/front.ts'
import type { Fronted } from './front/names.ts'
import { type Exchange, exchangeOf, type LogFloor } from './front/pass-on.ts'
import { refusalResult, toResult } from './front/results.ts'
import {
  callFronted,
  completeFronted,
  type FrontRequest,
  promptFronted,
  readFronted,
} from './front/serve-front.ts'
import { callGuarded } from './guarded/call-guarded.ts'
import { type Connection, joinCall } from './join-call.ts'
import { listTools } from './list-tools.ts'
import type { McpOptions } from './mcp-options.ts'
import { callRoutine } from './routine/routine-tools.ts'
import type { Subscriptions } from './subscriptions.ts'
import { toolByName } from './tools/all.ts'

export interface ServerFor {
  readonly connection: Connection
  readonly era: 'legacy' | 'modern'
  /** What this connection wants to hear of; missing where nothing outlives a request. */
  readonly subscriptions?: Subscriptions
  /** What came of the call already: the library only has to put it into words. */
  readonly outcome?: Outcome
}

type ToolResult = CallToolResult | InputRequiredResult

/** How a call of a tool ended: with a result, or with a fault that is told as an error. */
export type Outcome = { readonly result: ToolResult } | { readonly fault: unknown }

/** The server that one connection or one request talks to. It holds nothing of its own. */
export function createGatewayServer(options: McpOptions, to: ServerFor): Server {
  const server = new Server(serverInfo(options), {
    capabilities: capabilitiesOf(options),
    instructions: options.isRoutine === true ? routineInstructions : instructions,
  })
  const floor: LogFloor = { level: 'debug' }
  const requestFor = async (context: ServerContext, tool: string, input: unknown) => {
    const exchange = exchangeOf(server, context)
    return frontRequest(options, { ...to, exchange, floor }, { tool, input })
  }
  server.setRequestHandler('tools/list', async () => ({
    tools: await listTools(options, to.connection),
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { outcome } = to
    if (outcome !== undefined) return resultOf(outcome)
    const way = await requestFor(context, params.name, params.arguments ?? {})
    return way.ok ? callTool(options, way.value, params.name, way.args) : refusalResult(way.error)
  })
  if (options.front !== undefined) serveFront(options, { ...to, server, floor }, requestFor)
  return server
}

export function serverInfo({ version }: McpOptions) {
  return { name: 'statewright', version }
}

function resultOf(outcome: Outcome): ToolResult {
  if ('fault' in outcome) throw outcome.fault
  return outcome.result
}

interface CameBy extends Pick<ServerFor, 'connection' | 'era'> {
  readonly exchange: Exchange
  readonly floor: LogFloor
}

/** A call of a tool that came without the library around it. */
export async function callPlainly(
  options: McpOptions,
  { connection, exchange }: Pick<CameBy, 'connection' | 'exchange'>,
  { name, args }: { readonly name: string; readonly args: unknown },
): Promise<Outcome> {
  try {
    const by = { connection, exchange, era: 'modern', floor: { level: 'debug' } } as const
    const way = await frontRequest(options, by, { tool: name, input: args })
    if (!way.ok) return { result: refusalResult(way.error) }
    return { result: await callTool(options, way.value, name, way.args) }
  } catch (fault) {
    return { fault }
  }
}

async function frontRequest(
  options: McpOptions,
  { connection, era, exchange, floor }: CameBy,
  { tool, input }: { readonly tool: string; readonly input: unknown },
) {
  const joined = await joinCall(options, connection, { tool, input, meta: exchange.meta })
  if (!joined.ok) return joined
  const { from, args } = joined.value
  const { approvalPage = () => undefined } = options
  return { ok: true as const, args, value: { era, exchange, from, floor, approvalPage } }
}

const instructions =
  'Statewright guards this session with a state machine. Call statewright_get_state to see which ' +
  'tools are allowed and which events lead on, and statewright_transition to move on.'

const routineInstructions =
  'A Statewright process asks questions at checkpoints. Call process_state for the question and ' +
  'process_step to answer it; memory and tasks belong to the project and last.'

function capabilitiesOf({ front }: McpOptions): ServerCapabilities {
  if (front === undefined) return { tools: { listChanged: true } }
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  }
}

async function callTool(
  options: McpOptions,
  request: FrontRequest,
  name: string,
  args: unknown,
): Promise<ToolResult> {
  try {
    if (options.isRoutine === true)
      return await callRoutine(request.from, options.workspace, name, args)
    // Ours come first: nothing that a server offers can stand in their place.
    const own = toolByName.get(name)
    if (own !== undefined) return toResult(await own.call(request.from, args))
    const guarded = options.guardedTools?.get(name)
    if (guarded !== undefined) return await callGuarded(options, request, guarded, args)
    const { front } = options
    const fronted = front && (await frontedTool(front, name))
    if (front !== undefined && fronted !== undefined) {
      return await callFronted({ ...options, front }, request, fronted, args)
    }
    if (front?.isChanged(name) === true) return refusalResult(changedTool(name))
    return refusalResult(noSuchTool(options, name.slice(0, 100)))
  } catch (fault) {
    if (fault instanceof ProtocolError) throw fault
    options.onFault?.(fault)
    const message = 'An internal error happened. The history shows everything that was changed.'
    return refusalResult({ code: 'internal', message })
  }
}

/** Its server may be just starting. */
async function frontedTool(front: Front, name: string): Promise<Fronted<Tool> | undefined> {
  if (!front.tools.has(name)) await front.upstreams.started()
  return front.tools.get(name)
}

/** Its new words are not given on: they are what nobody has looked at. */
function changedTool(name: string): Problem {
  return {
    code: 'tool_changed',
    message: `The tool ${name} has another description than when a person accepted it.`,
    next: 'ask a person to look at the change with "statewright config accept".',
  }
}

/** A tool may only be missing because its server is. */
function noSuchTool({ front, unaccepted }: McpOptions, name: string): Problem {
  const message = `There is no tool ${name} here.`
  const down = front?.upstreams.status().filter(({ state }) => state !== 'ready') ?? []
  const why = [
    ...down.map((one) => `${one.name} (${one.problem ?? 'it is starting'})`),
    ...(unaccepted?.() ?? []).map((server) => `${server} (${waits})`),
  ]
  if (why.length === 0)
    return { code: 'usage', message, next: 'list the tools to see their names.' }
  return {
    code: 'upstream_unavailable',
    message: `${message} Not connected: ${why.join(', ')}.`,
    next: 'try again later, or ask a person to look at the server.',
  }
}

const waits = 'waiting for acceptance: a person accepts it with "statewright config accept"'

type BuildRequest = (
  context: ServerContext,
  tool: string,
  input: unknown,
) => Promise<
  | { readonly ok: true; readonly value: FrontRequest; readonly args: unknown }
  | { readonly ok: false; readonly error: { readonly message: string } }
>

interface Fronting extends ServerFor {
  readonly server: Server
  readonly floor: LogFloor
}

function serveFront(options: McpOptions, to: Fronting, buildRequest: BuildRequest): void {
  const { front } = options
  const { server } = to
  if (front === undefined) return
  const fronted = { ...options, front }
  const requestFor = async (context: ServerContext, tool: string, input: unknown) => {
    const way = await buildRequest(context, tool, input)
    if (!way.ok) throw new ProtocolError(-32_602, way.error.message)
    return way.value
  }
  server.setRequestHandler('resources/list', async () => {
    await front.upstreams.started()
    return { resources: [...front.resources] }
  })
  server.setRequestHandler('resources/templates/list', async () => {
    await front.upstreams.started()
    return { resourceTemplates: [...front.templates] }
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const request = await requestFor(context, 'read_resource', { uri })
    const result = await readFronted(fronted, request, uri)
    return result as ReadResourceResult // As the server gave it; our library checks it again.
  })
  server.setRequestHandler('prompts/list', async () => {
    await front.upstreams.started()
    return { prompts: [...front.prompts.values()].map(({ name, thing }) => ({ ...thing, name })) }
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const request = await requestFor(context, 'get_prompt', params)
    const result = await promptFronted(fronted, request, params)
    return result as GetPromptResult // As the server gave it; our library checks it again.
  })
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref } = params
    const prompt = ref.type === 'ref/prompt' ? front.prompts.get(ref.name) : undefined
    const upstream =
      ref.type === 'ref/prompt'
        ? prompt && front.upstreams.find(prompt.server)
        : front.ownerOf(ref.uri)
    if (upstream === undefined || !upstream.has('completions')) {
      return { completion: { values: [] } }
    }
    const meant = prompt === undefined ? ref : { ...ref, name: prompt.thing.name }
    const { _meta, ...rest } = params
    // What is typed goes to the server: judged as that which it is typed for.
    const tool = ref.type === 'ref/prompt' ? 'get_prompt' : 'read_resource'
    const way = await requestFor(context, tool, params)
    const result = await completeFronted(fronted, way, {
      upstream,
      tool,
      params: { ...rest, ref: meant },
    })
    if (result === undefined) return { completion: { values: [] } }
    const { completion } = result as { completion: { values: string[] } } // Checked by our library.
    return { completion }
  })
  if (to.era === 'legacy') serveOldEra(to)
}

/** Only the old era asks so; in the new one a client listens, and says so per request. */
function serveOldEra({ server, subscriptions, floor }: Fronting): void {
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    floor.level = params.level
    return {}
  })
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await subscriptions?.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    await subscriptions?.remove(params.uri)
    return {}
  })
}
