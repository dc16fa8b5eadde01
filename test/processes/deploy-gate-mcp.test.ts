import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { patience, Testbed } from '../../packages/server/testing/testbed.ts'
import { acceptConfig } from '../support/accept-config.ts'

const testbed = new Testbed()
const files = join(testbed.folder, 'files')
const upstream = fileURLToPath(new URL('../support/filesystem-mcp.mjs', import.meta.url))
const seed = JSON.parse(readFileSync(new URL('../seeds/deploy-gate.json', import.meta.url), 'utf8'))
const open: Client[] = []
let url: string
let person: string

beforeAll(async () => {
  mkdirSync(files)
  const filesystem = { command: process.execPath, args: [upstream, files, '0.25'] }
  const config = { upstreams: { filesystem }, gateway: { names: 'always' } }
  writeFileSync(join(testbed.project, 'statewright.yaml'), JSON.stringify(config))
  const { ready } = await testbed.up('--test-person')
  await acceptConfig(ready)
  url = ready.url
  person = ready.person_token ?? ''
  expect((await api('POST', '/api/processes', person, seed)).status).toBe(201)
}, patience.timeout)

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(() => testbed.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Any = any

async function api(
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<{ status: number; value: Any }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, value: await answer.json() }
}

/** An agent with a token of its own: a block holds the token, and must not reach other tests. */
async function connect(): Promise<{ client: Client; token: string }> {
  const minted = await api('POST', '/api/tokens', person, { kind: 'agent', name: 'agent' })
  const { token } = minted.value
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  open.push(client)
  return { client, token }
}

async function call(client: Client, name: string, args: object = {}): Promise<Any> {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  return result.isError === true ? JSON.parse(text) : (result.structuredContent ?? { text })
}

async function load(client: Client): Promise<string> {
  const loaded = await call(client, 'statewright_load_workflow', { name: 'deploy-gate' })
  expect(loaded.brief).toContain(seed.initial_prompt)
  return loaded.run_id
}

const questions = Object.fromEntries(
  Object.entries<Any>(seed.states).map(([name, { question }]) => [name, question]),
)

/** Waits until a call of the run is parked, and gives back its approval. */
async function parked(run: string): Promise<Any> {
  for (;;) {
    const { value } = await api('GET', `/api/approvals?status=waiting&run=${run}`, person)
    if (value.approvals.length > 0) return value.approvals[0]
  }
}

describe('the deploy-gate example, through a real MCP client', patience, () => {
  test('PR-2, PR-6: asks all three questions in turn and is completed', async () => {
    const { client, token } = await connect()
    const run = await load(client)
    expect(await call(client, 'process_state')).toMatchObject({
      run_id: run,
      process: 'deploy-gate',
      status: 'running',
      state: 'env-check',
      question: questions['env-check'],
      answers: ['yes', 'no'],
    })
    const second = await call(client, 'process_step', { answer: 'yes', rationale: 'looked twice' })
    expect(second).toMatchObject({
      state: 'migration-check',
      question: questions['migration-check'],
      answers: ['yes', 'n/a', 'no'],
    })
    expect(second.brief).toContain(questions['migration-check'])
    expect(second.brief).not.toContain(seed.initial_prompt)
    const third = await call(client, 'process_step', { answer: 'N/A' })
    expect(third).toMatchObject({ state: 'traffic-check', question: questions['traffic-check'] })
    const last = await call(client, 'process_step', { answer: 'yes' })
    expect(last).toMatchObject({ status: 'completed', question: null, answers: [] })
    const verified = await api('GET', `/api/runs/${run}/verify`, person)
    expect(verified.value).toMatchObject({ ok: true })
    const { entries } = (await api('GET', `/api/runs/${run}/entries`, token)).value
    const given = entries.filter((one: Any) => one.type === 'answered')
    expect(given.map((one: Any) => [one.answer, one.rationale])).toEqual([
      ['yes', 'looked twice'],
      ['n/a', undefined],
      ['yes', undefined],
    ])
  })

  test('PR-5: another answer is refused with the question and its answers', async () => {
    const { client } = await connect()
    await load(client)
    const refused = await call(client, 'process_step', { answer: 'perhaps' })
    expect(refused.code).toBe('unknown_answer')
    expect(refused.message).toContain(questions['env-check'])
    expect(refused.message).toContain('yes, no')
    const jumped = await call(client, 'statewright_transition', { event: 'yes' })
    expect(jumped.code).toBeDefined()
    expect(await call(client, 'process_state')).toMatchObject({ state: 'env-check' })
  })

  test.each([[['no']], [['yes', 'no']], [['yes', 'yes', 'no']], [['yes', 'n/a', 'no']]])(
    'PR-4, PR-4a: %j blocks every door until a person starts it anew',
    async (answers) => {
      const { client, token } = await connect()
      const run = await load(client)
      let last: Any
      for (const answer of answers) last = await call(client, 'process_step', { answer })
      expect(last).toMatchObject({ status: 'blocked', question: null })
      const read = await call(client, 'filesystem__read_file', { path: 'x' })
      expect(read.code).toBe('run_blocked')
      const body = { run, tool: 'Read', input: { file_path: 'x' } }
      expect((await api('POST', '/api/check', token, body)).value.code).toBe('run_blocked')
      const again = await call(client, 'statewright_load_workflow', { name: 'deploy-gate' })
      expect(again.code).toBe('run_blocked')
      const own = await api('POST', '/api/runs', token, { process: 'deploy-gate' })
      expect([own.status, own.value.code]).toEqual([409, 'run_blocked'])
      expect((await call(client, 'process_step', { answer: 'yes' })).code).toBe('run_not_active')
      const fresh = await api('POST', '/api/runs', person, { process: 'deploy-gate' })
      const next = { ...body, run: fresh.value.run_id }
      expect((await api('POST', '/api/check', token, next)).value.decision).toBe('allow')
    },
  )

  test('PO-7: write_file waits for a person, passes once, and is asked about anew', async () => {
    const { client } = await connect()
    const run = await load(client)
    const write = (content: string) =>
      call(client, 'filesystem__write_file', { path: 'a.txt', content })
    const first = write('one')
    const request = await parked(run)
    expect(request).toMatchObject({
      kind: 'ask',
      state: 'env-check',
      input: { path: 'a.txt', content: 'one' },
      rules: [{ path: 'policy.ask.0' }],
    })
    expect(existsSync(join(files, 'a.txt'))).toBe(false)
    await api('POST', `/api/approvals/${request.approval_id}/approve`, person, {})
    expect(await first).toEqual({ text: 'done' })
    expect(readFileSync(join(files, 'a.txt'), 'utf8')).toBe('one')

    const second = write('two')
    const anew = await parked(run)
    expect(anew.approval_id).not.toBe(request.approval_id)
    const no = { reason: 'not now' }
    await api('POST', `/api/approvals/${anew.approval_id}/reject`, person, no)
    expect((await second).code).toBe('approval_rejected')
    expect(readFileSync(join(files, 'a.txt'), 'utf8')).toBe('one')

    const remove = call(client, 'filesystem__delete_file', { path: 'a.txt' })
    const third = await parked(run)
    expect(third.rules[0].path).toBe('policy.ask.1')
    await api('POST', `/api/approvals/${third.approval_id}/approve`, person, {})
    await remove
    expect(existsSync(join(files, 'a.txt'))).toBe(false)
    // The upstream told what each call cost (PR-9).
    expect((await api('GET', `/api/runs/${run}`, person)).value.cost_usd).toBe(0.5)
  })

  test('PO-4, PO-5: the 51st bash of an hour is denied and told when there is room', async () => {
    const { client, token } = await connect()
    const run = await load(client)
    const began = Date.now()
    const bash = async (n: number) => {
      const input = { command: `echo ${n}` }
      return (await api('POST', '/api/check', token, { run, tool: 'Bash', input })).value
    }
    for (let n = 0; n < 50; n++) expect((await bash(n)).decision).toBe('allow')
    const denied = await bash(51)
    expect(denied).toMatchObject({ decision: 'deny', code: 'rate_exceeded' })
    expect(denied.reasons[0].path).toBe('policy.allow.0.rate_limit')
    expect(denied.message).toContain('50 used')
    const reported = Date.parse(/Try again after (\S+Z)\./.exec(denied.message)?.[1] ?? '')
    expect(reported).toBeGreaterThanOrEqual(began + 3_600_000)
    expect(reported).toBeLessThanOrEqual(Date.now() + 3_600_000)
    const why = await api('POST', '/api/policies/explain', token, { run, capability: 'bash' })
    expect(why.value).toMatchObject({
      decision: 'deny',
      usage: { used: 50, max: 50 },
      resets_at: new Date(reported).toISOString(),
    })
  })
})
