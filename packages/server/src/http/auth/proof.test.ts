import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { origin, release, type TestServer, testServer } from '../../../testing/server.ts'
import { defaultSettings } from '../../runtime/settings.ts'
import { mintTestPerson } from './auth.ts'

const pin = '471147'

let server: TestServer
let ann: string
let now = 1_800_000_000_000

beforeEach(async () => {
  let ids = 0
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${ids++}` }
  server = await testServer({ clock })
  ann = await server.login('ann')
})

afterEach(() => server.close())

async function parked(): Promise<{ run: string; approval: string }> {
  const token = await server.token('person')
  await server.ask('PUT', '/api/workflows/release', { token, body: release })
  const body = { workflow: 'release', context: { plan: 1 } }
  const run = (await server.ask('POST', '/api/runs', { token, body })).body.run_id
  const send = (event: string) =>
    server.ask('POST', `/api/runs/${run}/transition`, { token, body: { event } })
  await send('START')
  return { run, approval: (await send('PUBLISH')).body.approval_id }
}

const prove = (given: string, token = ann) =>
  server.ask('POST', '/api/proof', { token, body: { pin: given } })
const approve = (id: string, proof?: string, token = ann) =>
  server.ask('POST', `/api/approvals/${id}/approve`, {
    token,
    body: {},
    headers: proof === undefined ? {} : { 'x-statewright-proof': proof },
  })
const setPin = (person: string, given = pin) => server.auth.pins.set(person, given)

describe('a login alone', () => {
  test('PE-2: may look, start what was accepted, push drafts, hold and reject', async () => {
    const { run, approval } = await parked()
    const ask = async (method: string, path: string, body?: object) =>
      (await server.ask(method, path, { token: ann, ...(body === undefined ? {} : { body }) }))
        .status
    expect(await ask('GET', '/api/runs')).toBe(200)
    expect(await ask('POST', '/api/runs', { workflow: 'release' })).toBe(201)
    const draft = { ...release, id: 'mine' }
    expect(await ask('PUT', '/api/workflows/mine?draft=true', draft)).toBe(200)
    expect(await ask('PUT', '/api/workflows/mine?draft=true', draft)).toBe(200)
    expect(await ask('PUT', '/api/workflows/release?draft=true', release)).toBe(403)
    expect(await ask('POST', `/api/approvals/${approval}/reject`, { reason: 'no' })).toBe(200)
    expect(await ask('POST', `/api/runs/${run}/pause`, {})).toBe(200)
  })

  test.each([
    ['nothing', [], { workflow: 'release' }, 403],
    ['others', ['other'], { workflow: 'release' }, 403],
    ['the workflow', ['release'], { workflow: 'release' }, 201],
    ['the workflow', ['release'], { workflow: 'release', context: { plan: 1 } }, 403],
    ['whatever they like', null, { workflow: 'release', context: { plan: 1 } }, 201],
  ])(
    'PE-2: where agents may load %s (%j), starting %j is answered with %i',
    async (_, agentMayLoad, body, status) => {
      await server.close()
      server = await testServer({ settings: { ...defaultSettings, agentMayLoad } })
      await server.ask('PUT', '/api/workflows/release', {
        token: await server.token('person'),
        body: release,
      })
      const token = await server.login('ann')
      const started = await server.ask('POST', '/api/runs', { token, body })
      expect(started.status).toBe(status)
      if (status === 403) expect(started.body.code).toBe('step_up_required')
    },
  )

  test('PE-2: whatever lets an agent go on, or changes what holds, needs a proof', async () => {
    const { run, approval } = await parked()
    const gateway = [
      ['POST', `/api/approvals/${approval}/approve`, {}],
      ['POST', `/api/runs/${run}/stop`, {}],
      ['POST', `/api/runs/${run}/resume`, {}],
      ['POST', `/api/runs/${run}/force`, { state: 'planning' }],
      ['POST', '/api/runs', { definition: release }],
      ['POST', '/api/runs', { workflow: 'release', session: 'held' }],
      ['POST', '/api/runs', { workflow: 'release', agent: 'agent_x' }],
      ['POST', '/api/runs', { workflow: 'release', version: 1 }],
      ['PUT', '/api/workflows/release', release],
      ['DELETE', '/api/workflows/release', undefined],
      ['PUT', '/api/processes/p', {}],
      ['DELETE', '/api/processes/p', undefined],
      ['PUT', '/api/policies/p', { policy: {} }],
      ['POST', '/api/tokens', { kind: 'agent' }],
      ['POST', '/api/tokens', { kind: 'service', verbs: ['define'], expires_in_s: 60 }],
      ['DELETE', '/api/tokens/agent_x', undefined],
      ['POST', '/api/login/link', {}],
      ['PUT', '/api/pin', { pin: '999999' }],
      ['POST', '/api/passkeys/options', {}],
      ['DELETE', '/api/passkeys/x', undefined],
    ] as const
    for (const [method, path, body] of gateway) {
      const more = body === undefined ? {} : { body }
      const { body: output } = await server.ask(method, path, { token: ann, ...more })
      expect([method, path, output.code]).toEqual([method, path, 'step_up_required'])
      expect(output.next).toContain('login link')
    }
  })
})

describe('a proof', () => {
  test('PE-3: is given for the PIN, for ten minutes and for one login', async () => {
    await setPin('ann')
    const other = await server.login('ann')
    const { status, body } = await prove(pin)
    expect([status, body.expires_at]).toEqual([201, now + 10 * 60_000])
    const { approval } = await parked()
    expect((await approve(approval)).body.next).toContain('POST /api/proof')
    expect((await approve(approval, body.proof, other)).body.code).toBe('step_up_required')
    for (const token of [body.proof, `sw_person_${body.proof}`]) {
      expect((await server.ask('GET', '/api/me', { token })).status).toBe(401)
    }
    expect((await approve(approval, body.proof)).status).toBe(200)
    const second = await parked()
    now += 10 * 60_000
    expect((await approve(second.approval, body.proof)).body.code).toBe('step_up_required')
    const listed = await server.ask('GET', '/api/tokens', { token: ann })
    expect(listed.body.tokens.some((one: { role: string }) => one.role === 'proof')).toBe(false)
  })

  test('PE-3: ends with its login, and the history names the person', async () => {
    await setPin('ann')
    const { proof } = (await prove(pin)).body
    const { run, approval } = await parked()
    expect((await approve(approval, proof)).body.resolved_by).toBe('ann')
    const headers = { 'x-statewright-proof': proof }
    await server.ask('POST', '/api/logout', { token: ann, body: {} })
    const stop = await server.ask('POST', `/api/runs/${run}/stop`, {
      token: ann,
      headers,
      body: {},
    })
    expect(stop.status).toBe(401)
  })

  test('a token for tests needs none, since nobody is there to type', async () => {
    const token = await mintTestPerson(server.auth, server.server.runtime.clock)
    const saved = await server.ask('PUT', '/api/workflows/release', { token, body: release })
    expect(saved.status).toBe(200)
  })
})

describe('a PIN', () => {
  test('PE-4: the first comes with a login link, and no login sets it', async () => {
    expect((await prove(pin)).body.code).toBe('step_up_required')
    const form = (path: string, body: string) =>
      server.ask('POST', path, {
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
    const path = server.auth.links.create('ann')
    const page = await server.ask('GET', path)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Choose a PIN')])
    expect((await form(path, 'pin=12345')).status).toBe(400)
    expect((await form(path, `pin=${pin}`)).status).toBe(303)
    expect((await form(path, `pin=${pin}`)).body.code).toBe('login_expired')
    expect((await prove(pin)).status).toBe(201)
    expect((await prove(pin, await server.login('bob'))).body.code).toBe('step_up_required')
    expect(await server.store.settings.get('auth.pin.ann')).toMatch(/^scrypt:/)
  })

  test('PE-4: is changed by who has just proved to be there', async () => {
    await setPin('ann')
    const { proof } = (await prove(pin)).body
    const change = (given: string) =>
      server.ask('PUT', '/api/pin', {
        token: ann,
        headers: { 'x-statewright-proof': proof },
        body: { pin: given },
      })
    expect((await change('12345')).status).toBe(400)
    expect((await change('999999')).status).toBe(200)
    expect([(await prove(pin)).body.code, (await prove('999999')).status]).toEqual([
      'pin_wrong',
      201,
    ])
  })

  test('PE-5: wrong ones make their login wait, longer each time, and nobody else', async () => {
    await setPin('ann')
    const other = await server.login('ann')
    const guesses = Array.from({ length: 20 }, (_, index) => prove(`00000${index}`))
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'pin_wrong').length).toBeLessThanOrEqual(3)
    expect((await prove(pin)).body).toMatchObject({ code: 'pin_locked', retry_after_s: 1 })
    expect((await prove(pin, other)).status).toBe(201)
    const waits: number[] = []
    for (let time = 0; time < 14; time++) {
      const { retry_after_s } = (await prove('000000')).body
      waits.push(retry_after_s)
      now += retry_after_s * 1000
      expect((await prove('000000')).body.code).toBe('pin_wrong')
    }
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8])
    expect(Math.max(...waits)).toBe(15 * 60)
    expect(server.logs.join('')).toContain('"alarm":true')
    expect((await prove(pin)).body.code).toBe('pin_locked')
    now += 15 * 60_000
    expect((await prove(pin)).status).toBe(201)
    expect((await prove('000000')).body.code).toBe('pin_wrong')
  })
})

describe('a token of a service', () => {
  const make = (body: object) =>
    server.token('person').then((token) => server.ask('POST', '/api/tokens', { token, body }))

  test('PE-6: does the verbs that it was made for, and nothing else of a person', async () => {
    const made = await make({ kind: 'service', verbs: ['define'], expires_in_s: 60, name: 'ci' })
    expect(made.body).toMatchObject({ verbs: ['define'], expires_at: now + 60_000 })
    const { token } = made.body
    const saved = await server.ask('PUT', '/api/workflows/release', { token, body: release })
    expect(saved.status).toBe(200)
    const { approval } = await parked()
    expect((await approve(approval, undefined, token)).body.code).toBe('not_permitted')
    const minted = await server.ask('POST', '/api/tokens', { token, body: { kind: 'agent' } })
    expect(minted.body.code).toBe('not_permitted')
  })

  test('PE-6: sets no PIN, of nobody', async () => {
    const made = await make({ kind: 'service', verbs: ['mint'], expires_in_s: 60, name: 'ci' })
    const { token } = made.body
    const set = await server.ask('PUT', '/api/pin', { token, body: { pin: '123456' } })
    expect(set.body.code).toBe('not_permitted')
  })

  test('PE-6: has verbs and an end, and approves only where no agent has the disk', async () => {
    expect((await make({ kind: 'service', verbs: ['define'] })).body.code).toBe('usage')
    expect((await make({ kind: 'service', expires_in_s: 60 })).body.code).toBe('usage')
    expect((await make({ kind: 'agent', verbs: ['define'] })).body.code).toBe('usage')
    const approving = { kind: 'service', verbs: ['approve'], expires_in_s: 60 }
    expect((await make(approving)).body.code).toBe('not_permitted')
  })
})
