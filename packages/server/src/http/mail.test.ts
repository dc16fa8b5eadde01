import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MailServer, serviceKey, startMailServer } from '../../testing/peers/mail-service.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import type { MailService } from '../mail/forward.ts'
import { mailRoutes, runHeader } from './routes/mail.ts'

const newsletter = {
  name: 'newsletter',
  initial: 'write',
  states: {
    write: {
      question: 'Is it written?',
      answers: { yes: { next: null, action: 'complete' }, no: { next: 'write' } },
    },
  },
  email_config: {
    max_emails_per_session: 3,
    allowed_from: ['News@Example.com'],
    allowed_to: ['*@example.com', 'friend@other.test'],
  },
}

let server: TestServer
let mail: MailServer
let service: MailService | undefined
let person: string
let agent: string
let run: string

beforeAll(async () => {
  mail = await startMailServer()
  server = await testServer({ routes: mailRoutes(() => service) })
  person = await server.token('person')
  agent = await server.token('agent', 'one')
  const saved = await server.ask('POST', '/api/processes', { token: person, body: newsletter })
  expect([saved.text, saved.status]).toEqual([saved.text, 201])
})

afterAll(async () => {
  await server.close()
  await mail.close()
})

beforeEach(async () => {
  mail.mood = 'accepts'
  mail.accepted.length = 0
  mail.seen.length = 0
  service = { url: mail.url, key: serviceKey }
  run = await start()
})

async function start(session?: string): Promise<string> {
  const body = { process: 'newsletter', ...(session === undefined ? {} : { session }) }
  return (await server.ask('POST', '/api/runs', { token: agent, body })).body.run_id
}

const letter = { from: 'news@example.com', to: 'ann@example.com', subject: 'Hi', text: 'Hello.' }

function send(body: unknown, more: { run?: string; headers?: Record<string, string> } = {}) {
  return server.ask('POST', `/proxy/resend/emails?run=${more.run ?? run}`, {
    token: agent,
    body,
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  })
}

function sendBatch(body: unknown) {
  return server.ask('POST', `/proxy/resend/emails/batch?run=${run}`, { token: agent, body })
}

describe('mail through the proxy', () => {
  test('PR-10: what is listed leaves with our key, and the answer comes back', async () => {
    const answer = await send(letter, { headers: { 'idempotency-key': 'welcome/1' } })
    expect([answer.status, answer.body]).toEqual([
      200,
      { id: expect.stringMatching(/^[0-9a-f-]+$/) },
    ])
    const [seen] = mail.accepted
    expect([seen?.path, seen?.body]).toEqual(['/emails', letter])
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${serviceKey}`,
      'idempotency-key': 'welcome/1',
    })
    expect(JSON.stringify(seen?.headers)).not.toContain(agent)
  })

  test.each(['mcp:resend:*', 'resend-email'])(
    'PO-3: a policy that denies %s holds for the proxy',
    async (capability) => {
      const body = { policy: { deny: [{ capability }] } }
      const name = capability.replace(/[^a-z]+/g, '-').replace(/-$/, '')
      const path = `/api/policies/no-${name}`
      expect((await server.ask('PUT', path, { token: person, body })).status).toBe(200)
      const denied = await send(letter)
      expect([denied.body.code, mail.accepted.length]).toEqual(['policy_denied', 0])
      await server.store.policies.remove(`no-${name}`, { savedBy: 'test', savedAt: 1 })
      expect((await send(letter)).status).toBe(200)
    },
  )

  test('PR-10: a batch goes to the batch door, and each of its messages counts', async () => {
    const two = await sendBatch([letter, { ...letter, to: ['Bo <BO@example.com>'] }])
    expect([two.status, two.body.data.length]).toEqual([200, 2])
    const more = await sendBatch([letter, letter])
    expect([more.status, more.body.code]).toEqual([403, 'email_limit'])
    expect((await send(letter)).status).toBe(200)
    expect((await send(letter)).body.code).toBe('email_limit')
    expect(mail.accepted.length).toBe(2)
  })

  test.each<[string, object]>([
    ['a sender that is not listed', { ...letter, from: 'ceo@example.com' }],
    ['no sender', { ...letter, from: undefined }],
    [
      'a display name that looks like a sender',
      { ...letter, from: 'news@example.com <x@evil.test>' },
    ],
    ['a recipient that is not listed', { ...letter, to: 'x@evil.test' }],
    ['one recipient of several', { ...letter, to: ['ann@example.com', 'x@evil.test'] }],
    ['several recipients in one text', { ...letter, to: 'ann@example.com, x@evil.test' }],
    ['a cc', { ...letter, cc: 'x@evil.test' }],
    ['a bcc', { ...letter, bcc: ['X <x@evil.test>'] }],
    ['a domain below the listed one', { ...letter, to: 'x@sub.example.com' }],
    ['a domain that begins like the listed one', { ...letter, to: 'x@example.com.evil.test' }],
    ['a bcc among the headers', { ...letter, headers: { Bcc: 'x@evil.test' } }],
    ['a bcc in other letters', { ...letter, BCC: 'x@evil.test' }],
    ['a batch in a field', { ...letter, emails: [{ ...letter, to: 'x@evil.test' }] }],
    ['no recipient at all', { from: letter.from, subject: 's' }],
  ])('PR-10: nothing leaves with %s', async (_what, message) => {
    const answer = await send(message)
    expect([answer.status, answer.body.code]).toEqual([403, 'email_not_allowed'])
    expect(mail.seen).toEqual([])
  })

  test('PR-10: one bad message holds back its whole batch', async () => {
    const answer = await sendBatch([letter, { ...letter, bcc: 'x@evil.test' }])
    expect([answer.status, answer.body.code, mail.seen.length]).toEqual([
      403,
      'email_not_allowed',
      0,
    ])
  })

  test('PR-10: names and case of a listed address do not matter', async () => {
    const message = { ...letter, from: 'The News <NEWS@EXAMPLE.COM>', to: ['Friend@Other.Test'] }
    expect((await send(message)).status).toBe(200)
  })

  test('PR-10: of two at the last free place exactly one leaves', async () => {
    expect((await sendBatch([letter, letter])).status).toBe(200)
    const both = await Promise.all([send(letter), send(letter), send(letter)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect(mail.accepted.length).toBe(2)
  })
})

describe('what the service does not accept', () => {
  test.each(['refuses', 'fails'] as const)('PR-10: does not count when it %s', async (mood) => {
    mail.mood = mood
    for (let time = 0; time < 4; time++) {
      const answer = await send(letter)
      expect([answer.status, answer.body.name]).toEqual(
        mood === 'fails' ? [500, 'application_error'] : [422, 'validation_error'],
      )
    }
    mail.mood = 'accepts'
    expect((await sendBatch([letter, letter, letter])).status).toBe(200)
  })

  test('PR-10: does not count when it cannot be reached', async () => {
    service = { url: `http://127.0.0.1:${await closedPort()}`, key: serviceKey }
    for (let time = 0; time < 4; time++) {
      expect((await send(letter)).body.code).toBe('upstream_unavailable')
    }
    service = { url: mail.url, key: serviceKey }
    expect((await sendBatch([letter, letter, letter])).status).toBe(200)
  })

  test('PR-10: is reached right after it was started anew', async () => {
    for (const to of ['ann', 'bob', 'eve']) {
      expect((await send({ ...letter, to: `${to}@example.com` })).status).toBe(200)
      await mail.restart()
    }
  })

  test('PR-10: a redirect is not followed, and the key stays here', async () => {
    mail.mood = 'redirects'
    expect((await send(letter)).body.code).toBe('upstream_failed')
    expect(mail.seen.length).toBe(1)
    mail.mood = 'echoes'
    const answer = await send(letter)
    expect([answer.status, answer.text.includes(serviceKey)]).toEqual([422, false])
  })

  test('PR-10: an agent that calls mail failed while it leaves gets nothing back', async () => {
    expect((await sendBatch([letter, letter])).status).toBe(200)
    const leave = mail.hold()
    const sending = send(letter)
    await vi.waitFor(() => expect(mail.seen.length).toBe(2), { timeout: 20_000 })
    const { body } = await server.ask('GET', `/api/runs/${run}/entries`, { token: agent })
    const { call_id } = body.entries.at(-1)
    const lie = { run, call_id, exit: 'failure' }
    const output = await server.ask('POST', '/api/result', { token: agent, body: lie })
    expect([output.status, output.body.code]).toEqual([403, 'not_permitted'])
    leave()
    expect((await sending).status).toBe(200)
    expect((await send(letter)).body.code).toBe('email_limit')
  })

  test.each(['drops', 'breaks'] as const)(
    'PR-10: counts when it may have been accepted: the service %s',
    async (mood) => {
      expect((await sendBatch([letter, letter])).status).toBe(200)
      mail.mood = mood
      expect((await send(letter)).body.code).toBe('upstream_timeout')
      mail.mood = 'accepts'
      expect((await send(letter)).body.code).toBe('email_limit')
    },
  )
})

describe('whose mail it is', () => {
  test('PR-10: the run is named in the address, in a header, or by the session', async () => {
    const own = await start('s1')
    const byHeader = await server.ask('POST', '/proxy/resend/emails', {
      token: agent,
      body: letter,
      headers: { [runHeader]: run },
    })
    const bySession = await server.ask('POST', '/proxy/resend/emails', {
      token: agent,
      body: letter,
      headers: { 'statewright-session': 's1' },
    })
    expect([byHeader.status, bySession.status]).toEqual([200, 200])
    const history = await server.ask('GET', `/api/runs/${own}/entries`, { token: agent })
    const decided = history.body.entries.filter(
      (entry: { type: string }) => entry.type === 'call_decided' || entry.type === 'call_finished',
    )
    expect(decided).toMatchObject([
      { tool: 'resend-email', decision: 'allow' },
      { tool: 'resend-email', exit: 'success' },
    ])
    expect(history.text.includes(serviceKey)).toBe(false)
  })

  test('PR-10: between several runs it is not guessed', async () => {
    const answer = await server.ask('POST', '/proxy/resend/emails', { token: agent, body: letter })
    expect([answer.status, answer.body.code, mail.seen.length]).toEqual([400, 'usage', 0])
  })

  test('PR-10: nothing leaves without a run, in that of another, or without a token', async () => {
    const other = await server.token('agent', 'other')
    const none = await server.ask('POST', '/proxy/resend/emails', { token: other, body: letter })
    expect([none.status, none.body.code]).toEqual([409, 'no_active_run'])
    const theirs = await server.ask('POST', `/proxy/resend/emails?run=${run}`, {
      token: other,
      body: letter,
    })
    expect([theirs.status, theirs.body.code]).toEqual([404, 'unknown_run'])
    const hook = await server.token('hook')
    const path = `/proxy/resend/emails?run=${run}`
    expect((await server.ask('POST', path, { token: hook, body: letter })).status).toBe(403)
    expect((await server.ask('POST', path, { body: letter })).status).toBe(401)
    expect(mail.seen).toEqual([])
  })

  test('PR-10: a run that is paused or over sends nothing, since it would not count', async () => {
    await server.ask('POST', `/api/runs/${run}/pause`, { token: agent, body: {} })
    const paused = await send(letter)
    expect([paused.status, paused.body.code]).toEqual([409, 'run_paused'])
    const over = await start()
    await server.ask('POST', `/api/runs/${over}/answer`, { token: agent, body: { answer: 'yes' } })
    const late = await send(letter, { run: over })
    expect([late.status, late.body.code]).toEqual([409, 'no_active_run'])
    expect(mail.seen).toEqual([])
  })

  test.each([
    ['no JSON', 'hello'],
    ['a list where one message belongs', [letter]],
    ['a prototype', `{"__proto__": {"to": "x@evil.test"}, "from": "news@example.com"}`],
  ])('PR-10: %s is refused', async (_what, body) => {
    const answer = await send(body)
    expect([answer.status, answer.body.code, mail.seen.length]).toEqual([400, 'usage', 0])
  })

  test('PR-10: what is sent is what was judged, also where a field stands twice', async () => {
    const twice = `{"from":"news@example.com","to":"x@evil.test","to":"ann@example.com"}`
    expect((await send(twice)).status).toBe(200)
    expect(mail.accepted[0]?.body).toEqual({ from: 'news@example.com', to: 'ann@example.com' })
  })

  test('PR-10: without a key there is no proxy', async () => {
    service = undefined
    const answer = await send(letter)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })
})

async function closedPort(): Promise<number> {
  const held = createServer()
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
  const address = held.address()
  await new Promise((resolve) => held.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 1
}
