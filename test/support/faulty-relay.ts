import { createServer, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Ways in which an answer may be spoilt; each once seen to open the gate of some client. */
export const faults = {
  silence: () => {},
  'an empty answer': (response: ServerResponse) => response.end(),
  words: (response: ServerResponse) => response.end('all is well'),
  'a page': (response: ServerResponse) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><p>hi</p>'),
  'a list': (response: ServerResponse) => json(response, '[]'),
  'half of an object': (response: ServerResponse) => json(response, '{"hookSpecificOutput":'),
  'an object of something else': (response: ServerResponse) => json(response, '{"status":"ok"}'),
  'an empty object': (response: ServerResponse) => json(response, '{}'),
  'an error': (response: ServerResponse) => response.writeHead(500).end('{}'),
  'a redirect': (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(),
  'a cut': (response: ServerResponse) => response.destroy(),
} as const

export type Fault = keyof typeof faults

export interface FaultyRelay {
  readonly url: string
  /** What guarding hooks are answered with from now on; undefined passes them on. */
  fault: Fault | undefined
  close(): Promise<void>
}

/** Stands where the server should, and passes everything on until it is told to spoil hooks. */
export async function startFaultyRelay(target: string): Promise<FaultyRelay> {
  const server = createServer((request, response) => {
    const { fault } = relay
    // Only what guards goes through the hook command; the others would only make tests slow.
    if (fault !== undefined && request.headers['statewright-hook'] === 'command') {
      request.resume().on('end', () => void faults[fault](response))
      return
    }
    const { method } = request
    // Otherwise it would be turned away as a stranger's.
    const headers = { ...request.headers, host: new URL(target).host }
    const onward = send(new URL(request.url ?? '/', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server has one.
  const relay: FaultyRelay = {
    url: `http://127.0.0.1:${port}`,
    fault: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return relay
}

function json(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'application/json').end(text)
}
