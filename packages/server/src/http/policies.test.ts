import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string
let agent: string
let now = Date.UTC(2026, 1, 3, 12)
let ids = 0

const free = {
  id: 'free',
  initial: 'a',
  states: { a: { on: { DONE: 'b' } }, b: { type: 'final' } },
  policy: { allow: [{ capability: 'bash' }], ask: [{ capability: 'webfetch' }] },
}

beforeAll(async () => {
  const clock = { now: () => now, newId: (kind: string) => `${kind}_${++ids}` }
  server = await testServer({ clock })
  person = await server.token('person')
  agent = await server.token('agent')
  await ask('PUT', '/api/workflows/free', person, free)
})

beforeEach(async () => {
  for (const { name } of (await ask('GET', '/api/policies', person)).body.policies) {
    expect((await ask('DELETE', `/api/policies/${name}`, person)).status).toBe(200)
  }
})

afterAll(() => server.close())

function ask(method: string, path: string, token: string, body?: unknown) {
  return server.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
}

function put(name: string, policy: object, more: object = {}) {
  return ask('PUT', `/api/policies/${name}`, person, { policy, ...more })
}

async function start(token = agent, more: object = {}): Promise<string> {
  return (await ask('POST', '/api/runs', token, { workflow: 'free', ...more })).body.run_id
}

async function check(run: string, tool: string, token = agent) {
  const input = tool === 'Bash' ? { command: 'ls' } : {}
  return (await ask('POST', '/api/check', token, { run, tool, input })).body
}

async function tokenOf(role: string): Promise<string> {
  const minted = await server.auth.tokens.mint({ kind: 'agent', role, name: role, createdBy: 't' })
  return minted.secret
}

describe('policies of roles and projects', () => {
  test('PO-1b: one that is saved holds for the next call, and one removed no more', async () => {
    const run = await start()
    expect((await check(run, 'Bash')).decision).toBe('allow')
    const saved = await put('no-shell', { role: 'agent', deny: [{ capability: 'bash' }] })
    expect([saved.status, saved.body]).toMatchObject([
      200,
      { name: 'no-shell', version: 1, project: null, policy: { role: 'agent' } },
    ])
    expect(await check(run, 'Bash')).toMatchObject({
      decision: 'deny',
      code: 'policy_denied',
      reasons: [{ path: 'policies.no-shell.deny.0' }],
    })
    expect((await ask('DELETE', '/api/policies/no-shell', person)).status).toBe(200)
    expect((await check(run, 'Bash')).decision).toBe('allow')
    expect((await ask('GET', '/api/policies/no-shell', agent)).status).toBe(404)
  })

  test('PO-1: the strictest answer wins, and the reasons of all are kept', async () => {
    await put('asks', { ask: [{ capability: 'webfetch' }] })
    await put('denies', { deny: [{ capability: 'webfetch' }] })
    const answer = await check(await start(), 'WebFetch')
    expect(answer.decision).toBe('deny')
    expect(answer.reasons.map((one: { path: string }) => one.path)).toEqual([
      'policies.denies.deny.0',
      'policy.ask.0',
      'policies.asks.ask.0',
    ])
  })

  test('PO-1f: a base that is not the newest version saves nothing', async () => {
    const policy = (capability: string) => ({ deny: [{ capability }] })
    const first = await put('shared', policy('bash'))
    expect(first.body.version).toBe(1)
    expect((await put('shared', policy('read'), { base: 1 })).body.version).toBe(2)
    const late = await put('shared', policy('edit'), { base: 1 })
    expect([late.status, late.body.code]).toEqual([409, 'saved_meanwhile'])
    const { body } = await ask('GET', '/api/policies/shared', person)
    expect([body.version, body.policy]).toEqual([2, policy('read')])
  })

  test('PO-1e: versions tell who, when and what; an earlier one is restored', async () => {
    await put('kept', { deny: [{ capability: 'bash' }] })
    await put('kept', { deny: [{ capability: 'read' }] }, { project: '/srv/shop' })
    expect((await ask('DELETE', '/api/policies/kept', person)).status).toBe(200)
    const listed = await ask('GET', '/api/policies/kept/versions', agent)
    expect(listed.body.versions).toMatchObject([
      { version: 3, removed: true, saved_by: 'person', saved_at: now, created_at: now },
      { version: 2, project: '/srv/shop', policy: { deny: [{ capability: 'read' }] } },
      { version: 1, project: null, policy: { deny: [{ capability: 'bash' }] } },
    ])
    const first = await ask('GET', '/api/policies/kept?version=1', agent)
    expect(first.body).toMatchObject({ version: 1, policy: { deny: [{ capability: 'bash' }] } })
    expect((await ask('GET', '/api/policies/kept?version=9', agent)).status).toBe(404)
    const run = await start()
    const restore = (token: string, version: number) =>
      ask('POST', '/api/policies/kept/restore', token, { version })
    expect((await restore(agent, 1)).status).toBe(403)
    expect((await restore(person, 9)).body).toMatchObject({ code: 'not_found' })
    expect((await check(run, 'Bash')).decision).toBe('allow')
    expect((await restore(person, 1)).body).toMatchObject({ version: 4, project: null })
    expect((await check(run, 'Bash')).code).toBe('policy_denied')
    expect((await ask('GET', '/api/policies/none/versions', agent)).status).toBe(404)
    const { runtime } = server.server
    const [entry] = (await runtime.store.runs.entries(run, { after: 2, limit: 1 })).map(
      (stored) => stored.entry,
    )
    expect(entry).toMatchObject({ cause: { external: [{ source: 'policy:kept', version: 4 }] } })
  })

  test('PO-8: the role of the token decides, not anything the request says', async () => {
    await put('readers', { role: 'reader', deny: [{ capability: 'bash' }] })
    const reader = await tokenOf('reader')
    const output = { role: 'agent', policy: { role: 'agent' } }
    const refused = await ask('POST', '/api/runs', reader, { workflow: 'free', ...output })
    expect(refused.body.code).toBe('usage')
    const run = (await ask('POST', '/api/runs', reader, { workflow: 'free' })).body.run_id
    const call = { run, tool: 'Bash', input: { command: 'ls' } }
    const answer = await ask('POST', '/api/check', reader, { ...call, ...output })
    expect(answer.body).toMatchObject({ code: 'usage', where: 'role' })
    expect((await ask('POST', '/api/check', reader, call)).body.code).toBe('policy_denied')
    expect((await check(await start(), 'Bash')).decision).toBe('allow')
    const explain = { capability: 'bash', role: 'agent' }
    const lied = await ask('POST', '/api/policies/explain', reader, explain)
    expect(lied.status).toBe(403)
  })

  test('PO-1b: one of a project holds there and below, whatever its role says', async () => {
    await put('shop', { role: 'nobody', deny: [{ capability: 'bash' }] }, { project: '/srv/shop' })
    const denied = [{ project: '/srv/shop' }, { workspace: '/srv/shop/web' }]
    for (const more of denied) {
      expect((await check(await start(agent, more), 'Bash')).code).toBe('policy_denied')
    }
    for (const more of [{ project: '/srv/shop2' }, {}]) {
      expect((await check(await start(agent, more), 'Bash')).decision).toBe('allow')
    }
  })

  test('PO-5a: a rate belongs to the policy by name, over versions and runs', async () => {
    const limited = (max_calls: number) => ({
      allow: [{ capability: 'bash', rate_limit: { max_calls, window_seconds: 60 } }],
    })
    await put('slow', limited(2))
    const [one, two] = [await start(), await start()]
    expect((await check(one, 'Bash')).decision).toBe('allow')
    expect((await check(two, 'Bash')).decision).toBe('allow')
    await put('slow', limited(2))
    expect(await check(one, 'Bash')).toMatchObject({
      decision: 'deny',
      code: 'rate_exceeded',
      message: expect.stringContaining(new Date(now + 60_000).toISOString()),
    })
    now += 60_000
    expect((await check(one, 'Bash')).decision).toBe('allow')
  })

  test('PO-1: changing a policy breaks no history that it spoke in', async () => {
    await put('first', { deny: [{ capability: 'bash' }], ask: [{ capability: 'read' }] })
    const run = await start()
    const calls = ['Bash', 'Read', 'WebFetch', 'Edit']
    for (const tool of calls) await check(run, tool)
    await ask('DELETE', '/api/policies/first', person)
    await put('second', { default: 'deny' })
    for (const tool of calls) await check(run, tool)
    const verified = await ask('GET', `/api/runs/${run}/verify`, person)
    expect(verified.body).toMatchObject({ ok: true })
  })

  test('PO-7: a question of a role is bound to its arguments and good for one use', async () => {
    await put('careful', { ask: [{ capability: 'bash' }] })
    const run = await start()
    const request = await check(run, 'Bash')
    expect([request.decision, request.code]).toEqual(['ask', 'approval_required'])
    const path = `/api/approvals/${request.approval_id}/approve`
    expect((await ask('POST', path, person, {})).status).toBe(200)
    const other = { run, tool: 'Bash', input: { command: 'ls -l' } }
    expect((await ask('POST', '/api/check', agent, other)).body.decision).toBe('ask')
    expect((await check(run, 'Bash')).decision).toBe('allow')
    expect((await check(run, 'Bash')).decision).toBe('ask')
  })

  test('PO-1c: they hold without a run; what must be asked or counted needs one', async () => {
    await put('all', {
      deny: [{ capability: 'webfetch' }],
      ask: [{ capability: 'edit' }],
      allow: [{ capability: 'bash', rate_limit: { max_calls: 9, window_seconds: 9 } }],
    })
    const answers = await Promise.all(
      ['WebFetch', 'Edit', 'Bash', 'Read'].map(async (tool) => {
        const body = { session: 'nothing runs here', tool, input: { command: 'ls' } }
        return (await ask('POST', '/api/check', agent, body)).body.code ?? 'allowed'
      }),
    )
    expect(answers).toEqual(['policy_denied', 'no_active_run', 'no_active_run', 'allowed'])
  })

  test('PO-2: in strict mode what no rule names is denied by default', async () => {
    const strict = await testServer({ settings: { strict: true } })
    try {
      const mayPut = await strict.token('person')
      const put = (policy: object) =>
        strict.ask('PUT', '/api/policies/p', { token: mayPut, body: { policy } })
      const check = async () => {
        const body = { capability: 'webfetch' }
        const token = await strict.token('agent')
        return (await strict.ask('POST', '/api/policies/explain', { token, body })).body.decision
      }
      expect((await put({ allow: [{ capability: 'read' }] })).status).toBe(200)
      expect(await check()).toBe('deny')
      expect((await put({ allow: [{ capability: 'read' }], default: 'allow' })).status).toBe(200)
      expect(await check()).toBe('allow')
    } finally {
      await strict.close()
    }
  })

  test('PO-1b: saving, restoring or removing one needs a proof of the person', async () => {
    const token = await server.login()
    const request = [
      server.ask('PUT', '/api/policies/p', { token, body: { policy: {} } }),
      server.ask('POST', '/api/policies/p/restore', { token, body: { version: 1 } }),
      server.ask('DELETE', '/api/policies/p', { token }),
    ]
    for (const answer of request) expect((await answer).body.code).toBe('step_up_required')
  })

  test('PO-2: a bad one is refused with findings, a hook or agent may save none', async () => {
    const bad = await put('bad', { denny: [], ask: [{ capability: 'a*b' }] })
    expect([bad.status, bad.body.code]).toEqual([422, 'definition_invalid'])
    expect(bad.body.findings[0]).toMatchObject({ code: 'unknown_field', path: ['denny'] })
    expect((await put('Bad Name', {})).status).toBe(400)
    const bare = await ask('PUT', '/api/policies/bare', person, { deny: [] })
    expect([bare.status, bare.body]).toMatchObject([400, { code: 'usage', where: 'deny' }])
    const empty = await ask('PUT', '/api/policies/bare', person, {})
    expect([empty.status, empty.body.next]).toEqual([400, expect.stringContaining('wrap it')])
    const unread = await put('role-and-project', { role: 'x' }, { project: '/srv/y' })
    expect(unread.body.findings).toMatchObject([{ code: 'role_not_read', severity: 'warning' }])
    expect((await put('none', 'text' as unknown as object)).status).toBe(422)
    const body = { policy: {} }
    expect((await ask('PUT', '/api/policies/x', agent, body)).status).toBe(403)
    expect((await ask('DELETE', '/api/policies/x', agent)).status).toBe(403)
  })
})

describe('POST /api/policies/explain', () => {
  test('PO-4: it names the rule, what is used and when there is room again', async () => {
    const limit = { max_calls: 1, window_seconds: 3600 }
    await put('slow', { allow: [{ capability: 'bash', rate_limit: limit }] })
    const run = await start()
    const question = { run, tool: 'Bash', input: { command: 'ls' } }
    const before = (await ask('POST', '/api/policies/explain', agent, question)).body
    expect(before).toMatchObject({
      decision: 'allow',
      capability: 'bash',
      usage: { kind: 'rate', used: 0, max: 1, window_seconds: 3600, free: true },
      resets_at: null,
    })
    await check(run, 'Bash')
    const resets_at = new Date(now + 3_600_000).toISOString()
    for (const [token, more] of [
      [agent, {}],
      [person, {}],
    ] as const) {
      const after = await ask('POST', '/api/policies/explain', token, { ...question, ...more })
      expect(after.body).toMatchObject({
        decision: 'deny',
        rule: { policy: 'policy:slow', list: 'allow', index: 0, path: 'policies.slow.allow.0' },
        usage: { used: 1, max: 1, free: false },
        resets_at,
        reasons: [{ code: 'rate_exceeded', path: 'policies.slow.allow.0.rate_limit' }],
      })
    }
    const entries = (await ask('GET', `/api/runs/${run}/entries`, agent)).body.entries
    expect(entries.map((one: { type: string }) => one.type)).toEqual([
      'run_started',
      'call_decided',
    ])
  })

  test('PO-2: without a match nothing but the default speaks', async () => {
    await put('closed', { role: 'reader', default: 'deny' })
    const body = { capability: 'mcp:fs:read', role: 'reader' }
    const closed = await ask('POST', '/api/policies/explain', person, body)
    expect(closed.body).toMatchObject({
      decision: 'deny',
      reasons: [{ code: 'policy_denied', path: 'policies.closed.default' }],
    })
    expect(closed.body.rule).toBeUndefined()
    const open = await ask('POST', '/api/policies/explain', agent, { capability: 'mcp:fs:read' })
    expect(open.body).toMatchObject({ decision: 'allow', reasons: [], policies: [] })
    for (const bad of [{}, { capability: 'a', tool: 'b' }]) {
      expect((await ask('POST', '/api/policies/explain', agent, bad)).status).toBe(400)
    }
  })
})
