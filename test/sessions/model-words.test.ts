import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'

const served = new ServedSessions()
let server: Server
let url = ''
let closed = ''

beforeAll(async () => {
  await served.open()
  server = createServer((request, response) => {
    const [, kind] = request.url?.split('/') ?? []
    if (kind === 'cut') return void request.socket.destroy()
    const type = kind === 'page' ? 'text/html' : 'text/event-stream'
    response.writeHead(200, { 'content-type': type })
    response.end(kind === 'page' ? '<html><b>Welcome</b></html>' : 'data: {"hm":1}\n\ndata: no\n\n')
  })
  url = await listen(server)
  const gone = createServer()
  closed = `${await listen(gone)}/v1`
  gone.close()
})

async function listen(one: Server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  // It listens on a port, not on a path.
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`
}
afterAll(async () => {
  server.close()
  await served.close()
})

const otherFormat = (provider: string) => `does not answer in the format of ${provider}. Check`

const table = [
  ['anthropic', 'page', otherFormat('anthropic')],
  ['anthropic', 'garbage', otherFormat('anthropic')],
  ['openai', 'garbage', otherFormat('openai')],
  ['openai-compatible', 'page', otherFormat('openai-compatible')],
  ['openai-responses', 'garbage', otherFormat('openai-responses')],
  ['anthropic', 'cut', 'broke: it was closed.'],
  ['anthropic', 'nobody', 'broke: nothing listens there.'],
] as const

test.each(table)(
  'SE-13: %s that answers with a %s is told in words for people',
  async (provider, kind, words) => {
    const base_url = kind === 'nobody' ? closed : `${url}/${kind}/v1`
    const options = { provider, model: 'm', base_url }
    const id = await served.start([], { harness: 'model', options })
    await served.say(id)
    let message = ''
    const look = async () => {
      message = (await served.session(id)).lastError?.message ?? message
      return message
    }
    await expect.poll(look, { timeout: 20_000 }).not.toBe('')
    expect(message).toContain(words)
    expect(message).toContain(base_url)
    expect(message).not.toMatch(/AI_|normalized|JSON|undici|fetch|Expected|ECONN|terminated/i)
  },
)
