import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest } from '../base/http-request.ts'
import { codingClients } from '../clients/coding-clients.ts'
import type { OwnNames } from './own-names.ts'
import { headersOf, perform, toResponse } from './pipeline/pipeline.ts'
import type { Reply } from './pipeline/reply.ts'
import type { Route, ServerDependencies } from './pipeline/route.ts'

/** A route at an address that is written out, and what its address says. */
interface DirectRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Undefined where it is for the app; else a response that is still to be sent, or none. */
export type AnswerDirectly = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<Response | undefined> | undefined

/**
 * Answers what agents ask with every call straight on Node's server. They pass the same checks as
 * all requests: what is left out is only the way through the router and the objects of the web.
 */
export function directAnswers(
  server: ServerDependencies,
  names: OwnNames,
  routes: readonly Route[],
): AnswerDirectly {
  const known = directRoutes(routes)
  return (incoming, outgoing) => {
    const direct = incoming.method === 'POST' ? known.get(incoming.url ?? '') : undefined
    if (direct === undefined || !isPlainHost(incoming.headers.host)) return undefined
    const { route, params } = direct
    const request = new NodeRequest(incoming, outgoing)
    return perform(server, names, route, { request, params, incoming }).then((answer) => {
      if (answer instanceof Response) return answer
      if (answer.payload instanceof ReadableStream) return toResponse(answer)
      write(outgoing, answer, answer.payload)
      return undefined
    })
  }
}

/** An address is made of it; what cannot be one is answered by anyone who reads addresses. */
function isPlainHost(host: string | undefined): boolean {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host)
}

const hookPath = '/hooks/:client'

function directRoutes(routes: readonly Route[]): ReadonlyMap<string, DirectRoute> {
  const found = new Map<string, DirectRoute>()
  for (const route of routes) {
    if (route.method !== 'POST') continue
    if (route.path === hookPath) {
      for (const client of codingClients.keys()) {
        found.set(`/hooks/${client}`, { route, params: { client } })
      }
    } else if (!/[:*]/.test(route.path) && !found.has(route.path)) {
      found.set(route.path, { route, params: {} })
    }
  }
  return found
}

function write(
  outgoing: ServerResponse,
  reply: Reply,
  body: Exclude<Reply['payload'], ReadableStream>,
): void {
  const length = body === null ? 0 : Buffer.byteLength(body)
  outgoing.writeHead(reply.status, { ...headersOf(reply), 'content-length': length })
  outgoing.end(body ?? undefined)
}
