import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { save, start } from '../../../testing/runtime.ts'
import { refusalMetaKey } from './results.ts'

const mailing = {
  name: 'mailing',
  initial: 'write',
  states: { write: { question: 'Done?', answers: { yes: { next: null } } } },
  email_config: {
    max_emails_per_session: 2,
    allowed_from: ['us@example.com'],
    allowed_to: ['*@example.com'],
  },
}

const letter = { from: 'Us <us@example.com>', to: ['ann@example.com'], subject: 's', text: 't' }

let world: FrontWorld

beforeAll(async () => {
  // Whatever its tools are called: on a server of that name each is taken for one that sends.
  world = await openFrontWorld({ upstreams: { resend: hostile } })
  await save(world.runtime, mailing)
}, 60_000)
afterAll(() => world.close())

async function open() {
  const caller = newAgent()
  await start(world.runtime, caller, { process: 'mailing' })
  const client = await world.connect(caller)
  return async (name: string, args: object) => {
    // A tool that fails with an error of the protocol is passed on as such.
    const result = await client
      .callTool({ name, arguments: { ...args } })
      .catch((): { isError: true; _meta?: Record<string, unknown> } => ({ isError: true }))
    const refusal = result._meta?.[refusalMetaKey]
    return refusal === undefined ? (result.isError === true ? 'failed' : 'sent') : refusal
  }
}

describe('mail tools behind the gateway', () => {
  test('PR-10: cc, bcc and the sender are held to the lists', async () => {
    const call = await open()
    for (const bad of [{ cc: 'x@evil.test' }, { bcc: ['x@evil.test'] }, { from: 'me@evil.test' }]) {
      expect(await call('echo', { ...letter, ...bad })).toMatchObject({ code: 'email_not_allowed' })
    }
    expect(await call('echo', letter)).toBe('sent')
  })

  test('PR-10: each message counts, and what failed does not', async () => {
    const call = await open()
    for (let time = 0; time < 3; time++) expect(await call('failing', letter)).toBe('failed')
    expect(await call('echo', { emails: [letter, letter, letter] })).toMatchObject({
      code: 'email_limit',
    })
    expect(await call('echo', letter)).toBe('sent')
    const both = await Promise.all([call('echo', letter), call('echo', letter)])
    expect(both.filter((one) => one === 'sent').length).toBe(1)
    expect(await call('echo', letter)).toMatchObject({ code: 'email_limit' })
  })
})
