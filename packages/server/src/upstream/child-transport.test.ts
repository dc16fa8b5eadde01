import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { ChildTransport } from './child-transport.ts'

/** A server that sends all of it at once, and ends or stays. */
async function received(messages: readonly object[], after: string): Promise<string[]> {
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const script = `process.stdout.write(${JSON.stringify(lines)}, () => { ${after} })`
  const transport = new ChildTransport({
    command: process.execPath,
    args: ['-e', script],
    env: {},
    cwd: process.cwd(),
  })
  const seen: string[] = []
  const isDone = Promise.withResolvers<void>()
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message)) {
      seen.push('answer')
      if (seen.filter((one) => one === 'answer').length === answers) isDone.resolve()
      return
    }
    // As the client does: what is told is handled a few steps later.
    void Promise.resolve()
      .then(() => undefined)
      .then(() => undefined)
      .then(() => seen.push('told'))
  }
  const answers = messages.filter((message) => 'result' in message).length
  await transport.start()
  await isDone.promise
  await transport.close()
  return seen
}

const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
const answer = { jsonrpc: '2.0', id: 1, result: {} }

test('what a server told before its answer is handled before it', async () => {
  const sent = [progress, progress, answer, progress, answer]
  expect(await received(sent, 'setInterval(() => {}, 1000)')).toEqual([
    'told',
    'told',
    'answer',
    'told',
    'answer',
  ])
})

test('what a server asks after its answer is handled when the call has ended', async () => {
  const question = { jsonrpc: '2.0', id: 7, method: 'sampling/createMessage' }
  const transport = new ChildTransport({
    command: process.execPath,
    args: ['-e', answerAndAsk(question)],
    env: {},
    cwd: process.cwd(),
  })
  const seen: string[] = []
  const asked = Promise.withResolvers<void>()
  transport.onmessage = () => {
    seen.push('question')
    asked.resolve()
  }
  await transport.start()
  const call = async () => {
    await transport.ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }).answer
    // As whoever waits for an answer does: some steps later.
    for (let step = 0; step < 10; step++) await undefined
    seen.push('end of the call')
  }
  await Promise.all([call(), asked.promise])
  await transport.close()
  expect(seen).toEqual(['end of the call', 'question'])
})

/** A server that answers the first call and asks in the same breath. */
function answerAndAsk(question: object): string {
  const lines = [answer, question].map((message) => `${JSON.stringify(message)}\n`).join('')
  return `process.stdin.once('data', () => process.stdout.write(${JSON.stringify(lines)}))`
}

test('an answer is not lost when the server ends with it', async () => {
  expect(await received([progress, answer], 'process.exit(0)')).toContain('answer')
})
