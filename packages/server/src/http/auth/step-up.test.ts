import { afterEach, describe, expect, test } from 'vitest'
import { release, type TestOptions, type TestServer, testServer } from '../server.test-kit.ts'
import { mintTestPerson } from './auth.ts'

const dangerous = {
  ...release,
  id: 'dangerous',
  meta: { ...release.meta, danger_level: 'dangerous', debug: true },
}

const edited = { ...dangerous, initial: 'working' }

let server: TestServer
let person: string
let agent: string
let now = 1_800_000_000_000

async function open(options: TestOptions = {}): Promise<void> {
  let ids = 0
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${ids++}` }
  server = await testServer({ clock, ...options })
  person = await server.token('person')
  agent = await server.token('agent')
}

afterEach(() => server.close())

async function parked(workflow: string): Promise<{ run: string; approval: string }> {
  const body = { workflow, context: { plan: 1 } }
  const { body: started } = await server.ask('POST', '/api/runs', { token: person, body })
  const run = started.run_id
  const send = (event: string) =>
    server.ask('POST', `/api/runs/${run}/transition`, { token: person, body: { event } })
  await send('START')
  return { run, approval: (await send('PUBLISH')).body.approval_id }
}

const put = (definition: { id: string }, headers: Record<string, string> = {}) =>
  server.ask('PUT', `/api/workflows/${definition.id}`, { token: person, body: definition, headers })
const approve = (id: string, pin?: string, token = person) =>
  server.ask('POST', `/api/approvals/${id}/approve`, {
    token,
    body: {},
    headers: pin === undefined ? {} : { 'x-statewright-pin': pin },
  })
const setPin = (pin: string, headers: Record<string, string> = {}) =>
  server.ask('PUT', '/api/pin', { token: person, body: { pin }, headers })

describe('step-up', () => {
  test('is asked for what is dangerous, and not for the rest', async () => {
    await open()
    expect((await put(release)).status).toBe(200)
    expect((await put(dangerous)).status).toBe(200)
    const harmless = await parked('release')
    expect((await approve(harmless.approval)).status).toBe(200)
    const grave = await parked('dangerous')
    const unset = await approve(grave.approval)
    expect([unset.status, unset.body.code]).toEqual([403, 'step_up_required'])
    expect(unset.body.next).toContain('PUT /api/pin')
    expect((await approve(grave.approval, '1234')).body.code).toBe('step_up_required')
    expect((await setPin('1234')).body).toEqual({ set: true })
    expect((await approve(grave.approval)).body.code).toBe('step_up_required')
    expect((await approve(grave.approval, '1235')).body.code).toBe('pin_wrong')
    const forced = await server.ask('POST', `/api/runs/${grave.run}/force`, {
      token: person,
      body: { state: 'planning' },
    })
    expect(forced.body.code).toBe('step_up_required')
    expect((await put(edited)).body.code).toBe('step_up_required')
    const minted = { token: person, body: { kind: 'person' } }
    expect((await server.ask('POST', '/api/tokens', minted)).body.code).toBe('step_up_required')
    expect((await approve(grave.approval, '1234')).status).toBe(200)
    const stored = await server.store.settings.get('auth.pin')
    expect(stored).toMatch(/^scrypt:/)
  })

  test('rejecting needs none: saying no is never dangerous', async () => {
    await open()
    await put(dangerous)
    const { approval } = await parked('dangerous')
    const { status } = await server.ask('POST', `/api/approvals/${approval}/reject`, {
      token: person,
      body: { reason: 'no' },
    })
    expect(status).toBe(200)
  })

  test('is always asked in strict mode, even where the rule says never', async () => {
    await open({ settings: { strict: true }, stepUp: 'never' })
    expect((await put(release)).body.code).toBe('step_up_required')
    const minted = { token: person, body: { kind: 'agent' } }
    expect((await server.ask('POST', '/api/tokens', minted)).body.code).toBe('step_up_required')
    await setPin('longer pin')
    expect((await put(release, { 'x-statewright-pin': 'longer pin' })).status).toBe(200)
  })

  test('a token for tests passes it, since nobody is there to type', async () => {
    await open({ settings: { strict: true } })
    person = await mintTestPerson(server.auth, server.parts.runtime.clock)
    expect((await put(dangerous)).status).toBe(200)
  })

  test('a PIN is changed only by who knows it', async () => {
    await open()
    await setPin('1234')
    expect((await setPin('9999')).body.code).toBe('step_up_required')
    expect((await setPin('9999', { 'x-statewright-pin': '4321' })).body.code).toBe('pin_wrong')
    expect((await setPin('9999', { 'x-statewright-pin': '1234' })).status).toBe(200)
    expect((await setPin('12')).status).toBe(400)
    const byAgent = await server.ask('PUT', '/api/pin', { token: agent, body: { pin: '1234' } })
    expect(byAgent.status).toBe(403)
  })
})

describe('five wrong PINs', () => {
  test('lock for 15 minutes and raise an alarm, even when sent at once', async () => {
    await open()
    await setPin('1234')
    const guesses = Array.from({ length: 8 }, (_, index) =>
      setPin('9999', { 'x-statewright-pin': `000${index}` }),
    )
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'pin_wrong').length).toBeLessThanOrEqual(5)
    expect(codes).toContain('pin_locked')
    const right = () => setPin('9999', { 'x-statewright-pin': '1234' })
    expect((await right()).body.code).toBe('pin_locked')
    expect(server.logs.join('')).toContain('"alarm":true')
    now += 15 * 60_000
    expect((await right()).status).toBe(200)
  })
})
