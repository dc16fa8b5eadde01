import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenMail {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into mail of every shape.
  readonly body: any
}

/** What the service does next: accept, answer with an error, break off, or wait to be told. */
export type Mood = 'accepts' | 'refuses' | 'fails' | 'redirects' | 'echoes' | 'drops' | 'breaks'

export interface MailServer {
  readonly url: string
  /** Mail that it accepted. */
  readonly accepted: SeenMail[]
  readonly seen: SeenMail[]
  mood: Mood
  /** Answers nothing until what is given back is called. */
  hold(): () => void
  /** Ends and begins again at the same address, at once. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const serviceKey = 're_test_0123456789'

/** A local service that speaks Resend's API: its shapes of requests, answers and errors. */
export async function startMailServer(): Promise<MailServer> {
  const accepted: SeenMail[] = []
  const seen: SeenMail[] = []
  let made = 0
  const state: { mood: Mood; gate: Promise<void> } = {
    mood: 'accepts',
    gate: Promise.resolve(),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const mail = { path: request.url ?? '', headers: request.headers, body }
    seen.push(mail)
    await state.gate
    const answer = (status: number, value: object, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(JSON.stringify(value))
    }
    if (request.headers.authorization !== `Bearer ${serviceKey}`) {
      return answer(401, { statusCode: 401, name: 'missing_api_key', message: 'Missing API Key' })
    }
    switch (state.mood) {
      case 'refuses':
        return answer(422, { statusCode: 422, name: 'validation_error', message: 'Invalid `to`' })
      case 'fails':
        return answer(500, { statusCode: 500, name: 'application_error', message: 'Internal' })
      case 'redirects':
        return answer(307, {}, { location: '/emails' })
      case 'echoes':
        return answer(422, { statusCode: 422, message: request.headers.authorization })
      case 'drops':
        return void request.socket.destroy()
      case 'breaks':
        accepted.push(mail)
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"id":')
        return void setTimeout(() => request.socket.destroy(), 20)
      case 'accepts': {
        accepted.push(mail)
        const id = () => {
          made += 1
          return { id: `49a3999c-0ce1-4ea6-ab68-${String(made).padStart(12, '0')}` }
        }
        return answer(200, Array.isArray(body) ? { data: body.map(id) } : id())
      }
    }
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen(0)
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    accepted,
    seen,
    get mood() {
      return state.mood
    },
    set mood(mood) {
      state.mood = mood
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.gate = promise
      return resolve
    },
    async restart() {
      await close()
      await listen(port)
    },
    close,
  }
}
