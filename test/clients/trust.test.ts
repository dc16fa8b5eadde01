import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  runStatewright,
  type StartedServer,
  startStatewright,
} from '../../packages/server/testing/child.ts'
import { planThenWrite } from './guarded-home.ts'

const limits = { timeout: 60_000 }
const head = { session_id: 's', cwd: '/' }
const read = { tool_name: 'Read', tool_use_id: 't1', tool_input: { file_path: '/x' } }

let home: string
let server: StartedServer
let token: string
let runId: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'statewright-trust-'))
  const work = join(home, 'work')
  mkdirSync(work)
  server = await startStatewright({
    cwd: work,
    environment: { PATH: '/usr/bin:/bin', HOME: home, STATEWRIGHT_STRICT: 'true' },
    args: ['--data', join(home, 'data')],
  })
  await server.ask('PUT', `/api/workflows/${planThenWrite.id}`, planThenWrite)
  const minted = await server.ask('POST', '/api/tokens', {
    kind: 'agent',
    name: 'x',
    with_hook: true,
  })
  token = (minted.value as { hook_token: string }).hook_token // The published shape.
  const request = { workflow: planThenWrite.id, session: 's' }
  const started = await server.ask('POST', '/api/runs', request)
  runId = (started.value as { run_id: string }).run_id // As above.
}, limits.timeout)
afterAll(async () => {
  await server.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

async function hook(body: object): Promise<string> {
  const answer = await fetch(`${server.url}/hooks/claude-code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...head, ...body }),
  })
  return answer.text()
}

const ask = (id: string) => hook({ hook_event_name: 'PreToolUse', ...read, tool_use_id: id })

function command(...args: string[]) {
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    STATEWRIGHT_URL: server.url,
    STATEWRIGHT_TOKEN: server.personToken,
  }
  return runStatewright(args, { cwd: home, environment })
}

describe('what a client did behind our back', limits, () => {
  test('is seen in its own report, told everywhere, and holds a strict run', async () => {
    expect(await ask('t1')).not.toContain('unjudged_call')
    const unseen = { tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'id' } }
    await hook({ hook_event_name: 'PostToolBatch', tool_calls: [read, unseen] })
    expect(await ask('t3')).toContain('unjudged_call')

    const { value } = await server.ask('GET', '/api/trust')
    expect(value).toMatchObject({
      strict: true,
      mode: 'enforce',
      unjudged: { count: 1, runs: { [runId]: { count: 1, blocks: true } } },
      clients: [{ client: 'claude-code', sessions: 1 }],
    })
    expect((await command('run', 'show', runId)).stdout).toContain('UNJUDGED: 1 call')
    expect((await command('run', 'list')).stderr).toContain('without being checked')
  })

  test('is forgiven by a person alone', async () => {
    const byAgent = await fetch(`${server.url}/api/runs/${runId}/trust`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(byAgent.status).toBe(403)
    expect(await ask('t4')).toContain('unjudged_call')
    expect((await command('run', 'trust', runId)).code).toBe(0)
    expect(await ask('t5')).not.toContain('unjudged_call')
    expect((await command('run', 'trust', runId)).code).not.toBe(0)
  })
})
