import { isAbsolute, resolve } from 'node:path'
import { endpoints } from '@statewright/core/wire'
import type { HttpHeaders } from '../../base/http-request.ts'
import { problem } from '../../base/problem.ts'
import { processKey } from '../../base/process-start.ts'
import { answerClientHook, type HookOptions } from '../../hooks/client-hook.ts'
import { statusLine } from '../../hooks/status-line.ts'
import type { McpEndpoint } from '../../mcp/mcp-endpoint.ts'
import { peerAncestors } from '../auth/peer-ancestors.ts'
import { hookHeader, SeenClients } from '../auth/seen-clients.ts'
import { heardOn } from '../connection-room.ts'
import { hookSender } from '../pipeline/hook-sender.ts'
import { readBody } from '../pipeline/read-body.ts'
import { problemReply } from '../pipeline/reply.ts'
import { type Answer, type Call, type CallOf, type Route, serve } from '../pipeline/route.ts'

export interface GatewayEndpoints {
  readonly mcp: McpEndpoint
  readonly routines: McpEndpoint
  readonly hooks: HookOptions
}

/** Large enough for any hook of a client; a larger one is denied in its dialect. */
const maxHookBytes = 8 * 1024 * 1024

const maxMcpBytes = 4 * 1024 * 1024

/** The doors of coding clients and MCP clients. */
export function gatewayRoutes({ mcp, routines, hooks }: GatewayEndpoints): readonly Route[] {
  const seen = new SeenClients(hooks.registry)
  return [
    serve(
      endpoints.clientHook,
      async (call) => {
        const read = await readBody(call.request, call.incoming, maxHookBytes)
        const text = read.ok ? read.value : undefined
        const sender = await hookSender(call, text)
        const { caller } = sender
        if (caller !== undefined) heardOn(call.incoming, 'agent')
        const { client } = call.params
        const hookRequest = {
          client,
          caller,
          text,
          origin: { gateway: gatewayCommand(call.request.headers) },
          home: clientHome(call.request.headers),
          process: caller === undefined ? undefined : seen.note(call, client),
          signal: call.request.signal,
        }
        const payload = JSON.stringify(await answerClientHook(hooks, hookRequest))
        // Hook commands of older versions know our answers by the first header alone.
        const headers = { [hookHeader]: 'answer', ...sender.headersOf(payload) }
        return { status: 200, type: 'application/json', payload, headers }
      },
      { answersStrangers: true },
    ),
    serve(endpoints.statusLine, tellStatus),
    ...[endpoints.openMcp, endpoints.callMcp, endpoints.closeMcp].map((row) =>
      serve(row, (call) => passOn(mcp, call)),
    ),
    ...[endpoints.openRoutines, endpoints.callRoutines, endpoints.closeRoutines].map((row) =>
      serve(row, (call) => passOn(routines, call)),
    ),
  ]
}

/** Signed like a hook: the person reads it, and another program may have our port. */
async function tellStatus(call: CallOf<typeof endpoints.statusLine>): Promise<Answer> {
  const sender = await hookSender(call, call.text)
  if (sender.caller === undefined) {
    return problemReply(problem('unauthenticated', 'A valid token is required.'))
  }
  const text = await statusLine(call.server.runtime, sender.caller, call.body.session)
  const payload = JSON.stringify({ text })
  return { status: 200, type: 'application/json', payload, headers: sender.headersOf(payload) }
}

/** What the protocol's library answers. */
async function passOn(
  endpoint: McpEndpoint,
  { request, incoming, caller }: Pick<Call<unknown, unknown>, 'request' | 'incoming' | 'caller'>,
): Promise<Answer> {
  const ancestors = () => (incoming === undefined ? [] : peerAncestors(incoming).map(processKey))
  if (request.method !== 'POST') return reply(await endpoint.answer(request, caller, { ancestors }))
  // Read here, since what the library gets must have a limit.
  const text = await readBody(request, incoming, maxMcpBytes)
  if (!text.ok) return problemReply(text.error)
  return reply(await endpoint.answer(request, caller, { text: text.value, ancestors }))
}

function reply(answer: string | Response): Answer {
  if (answer instanceof Response) return answer
  return { status: 200, type: 'application/json', payload: answer }
}

const longestHome = 4096

/** Where nothing usable is told, the homes that we know ourselves have to do. */
function clientHome(headers: HttpHeaders): string | undefined {
  try {
    const home = decodeURIComponent(headers.get('statewright-home') ?? '')
    const isUsable = isAbsolute(home) && home.length <= longestHome && !/[\0\r\n]/.test(home)
    return isUsable ? resolve(home) : undefined
  } catch {
    return undefined
  }
}

/** How our MCP server was entered beside the hook, told by the hook command that stands there. */
function gatewayCommand(headers: HttpHeaders): readonly string[] | undefined {
  const words = headers.get('statewright-gateway')?.split(',')
  try {
    return words?.map((word) => decodeURIComponent(word))
  } catch {
    return undefined
  }
}
