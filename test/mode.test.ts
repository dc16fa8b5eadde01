import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DashboardWorld } from '../packages/server/testing/dashboard/world.ts'

const observing =
  'ann switched to observe mode. From here on denials are only recorded, ' +
  'except for calls that would touch Statewright itself.'

const bound = { timeout: 60_000 }
let world: DashboardWorld
let run: string

beforeAll(async () => {
  world = await DashboardWorld.open()
  run = await world.run('bugfix')
}, 60_000)

afterAll(() => world.close())

async function mint(kind: 'hook' | 'agent' | 'person'): Promise<string> {
  const { tokens } = world.running.serving.auth
  const whose = kind === 'person' ? { person: 'ann' } : {}
  return (await tokens.mint({ kind, name: `${kind} ann`, createdBy: 'somebody', ...whose })).secret
}

const write = { file_path: 'a.ts', content: 'x' }

async function put(token: string, mode: string, proof?: string) {
  const answer = await fetch(`${world.url}/api/mode`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(proof === undefined ? {} : { 'x-statewright-proof': proof }),
    },
    body: JSON.stringify({ mode }),
  })
  return answer.json() as Promise<{ code?: string; mode?: string }>
}

async function notices(): Promise<string[]> {
  const { entries } = await world.person('GET', `/api/runs/${run}/entries?limit=500`)
  return entries
    .filter(({ type }: { type: string }) => type === 'notice')
    .map(({ text }: { text: string }) => text)
}

describe('the switch between enforce and observe', () => {
  test('is no door for agents, hooks or nonsense', bound, async () => {
    for (const kind of ['agent', 'hook'] as const) {
      expect((await put(await mint(kind), 'observe')).code).toBe('not_permitted')
    }
    expect((await put(await mint('person'), 'off')).code).toBe('usage')
    expect(await world.person('GET', '/api/mode')).toMatchObject({
      mode: 'enforce',
      configured: 'enforce',
      origin: 'default',
      choice: null,
    })
  })

  test('PE-2: asks for a proof before it loosens, and not before it tightens', bound, async () => {
    const ann = await mint('person')
    expect((await put(ann, 'observe')).code).toBe('step_up_required')
    await world.running.serving.auth.pins.set('ann', '271828')
    expect((await put(ann, 'observe', 'nonsense')).code).toBe('step_up_required')
    expect((await world.check(run, 'Write', write)).decision).toBe('deny')
    const { proof } = await world.ask(ann, 'POST', '/api/proof', { pin: '271828' })
    expect((await put(ann, 'observe', proof)).mode).toBe('observe')
    expect((await put(ann, 'enforce')).mode).toBe('enforce')
    expect((await world.check(run, 'Write', write)).decision).toBe('deny')
    expect((await put(ann, 'observe', proof)).mode).toBe('observe')
  })

  test('counts only what would have been stopped since, and names the newest', bound, async () => {
    expect((await world.person('GET', '/api/mode')).stopped).toEqual({ count: 0, latest: [] })
    expect(await world.check(run, 'Write', write)).toMatchObject({
      decision: 'allow',
      would: 'deny',
    })
    const other = await world.run('bugfix')
    await world.check(other, 'Bash', { command: 'git push' })
    const { stopped, choice } = await world.person('GET', '/api/mode')
    expect(choice).toMatchObject({ mode: 'observe', by: 'ann', over: 'enforce' })
    expect(stopped.count).toBe(2)
    expect(stopped.latest).toMatchObject([
      { run_id: other, tool: 'Bash', decision: 'deny', code: 'tool_not_allowed' },
      { run_id: run, tool: 'Write', decision: 'deny', code: 'tool_not_allowed', seq: 7 },
    ])
    expect((await world.person('GET', '/api/trust')).would_have_denied).toBe(2)
  })

  test('is written into the history of live runs, and holds over a restart', bound, async () => {
    expect(await notices()).toEqual([
      observing,
      'ann switched to enforce mode. From here on what the rules deny is denied.',
      observing,
    ])
    await world.restart()
    expect((await world.check(run, 'Write', write)).would).toBe('deny')
    const { settings, mode } = await world.person('GET', '/api/config')
    expect([settings.mode, mode.configured, mode.choice.by]).toEqual(['observe', 'enforce', 'ann'])
  })

  test('ends when the file changes its word, and says so', bound, async () => {
    const file = join(world.folder, 'statewright.yaml')
    await world.restart(async () => writeFileSync(file, 'mode: observe\n'))
    // Runs are live: what the file says waits, and the person's choice goes on.
    expect((await world.person('GET', '/api/mode')).choice).not.toBeNull()
    await world.person('POST', '/api/config/accept', {})
    const held = await world.person('GET', '/api/mode')
    expect(held).toMatchObject({
      mode: 'observe',
      configured: 'observe',
      choice: null,
      ended: { by: 'ann', mode: 'observe' },
    })
    expect(held.origin).toBe(file)
  })
})

describe('what people see of the machine', () => {
  const finding = { check: 'canary', status: 'broken', message: 'It was let through.' }
  const target = { scope: 'user', url: 'http://127.0.0.1:1' }

  test(
    'a report of doctor survives a restart, and one client leaves the others',
    bound,
    async () => {
      const all = ['gemini', 'codex'].map((client) => ({ client, ...target, findings: [finding] }))
      await world.person('PUT', '/api/clients/report', { ok: false, clients: all })
      const mended = [{ client: 'gemini', ...target, findings: [{ ...finding, status: 'ok' }] }]
      const body = { ok: true, only: 'gemini', clients: mended }
      await world.person('PUT', '/api/clients/report', body)
      await world.restart()
      const { report } = await world.person('GET', '/api/clients')
      expect(report).toMatchObject({
        ok: false,
        clients: [
          { client: 'gemini', findings: [{ status: 'ok' }] },
          { client: 'codex', findings: [{ status: 'broken' }] },
        ],
      })
    },
  )

  test('which server this is, and where its data lie', bound, async () => {
    const facts = await world.person('GET', '/api/server')
    expect(facts).toMatchObject({
      url: world.running.serving.peopleUrl,
      project: world.folder,
      data: join(world.folder, 'data'),
      store: 'sqlite',
    })
    expect(facts.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(facts.uptime_ms).toBeGreaterThanOrEqual(0)
  })
})
