// Every endpoint of the wire, by real answers of a real server: what a row declares is what comes.
//
// To add endpoints: write a file in test/wire/steps for their noun, whose function calls each of
// them with `walk.call(endpoints.x, { params, query, body })` until every JSON status of its row
// was seen, and add it to `steps` below. `walk.call` itself looks at the answer: an undeclared
// field, a missing one or one of another type is red. The last test is red for every answer that
// nobody reached. Steps of different nouns share one server and make what they need themselves.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startServer } from '../../packages/server/src/app/start-server.ts'
import { approvalSteps } from './steps/approvals.ts'
import { callSteps } from './steps/calls.ts'
import { clientSteps } from './steps/clients.ts'
import { definitionSteps } from './steps/definitions.ts'
import { loginSteps, providerSteps } from './steps/logins.ts'
import { notebookSteps } from './steps/notebook.ts'
import { policySteps } from './steps/policies.ts'
import { replaySteps } from './steps/replays.ts'
import { runSteps } from './steps/runs.ts'
import { serverSteps } from './steps/server.ts'
import { hooks, sessionSteps } from './steps/sessions.ts'
import { tokenSteps } from './steps/tokens.ts'
import { usageSteps } from './steps/usage.ts'
import { expectedAnswers, type Seen, type Walk, walkThrough } from './walk.ts'

const steps: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  runs: runSteps,
  approvals: approvalSteps,
  calls: callSteps,
  sessions: sessionSteps,
  'memory and tasks': notebookSteps,
  'usage and activity': usageSteps,
  tokens: tokenSteps,
  'clients and exec': clientSteps,
  'workflows, processes and templates': definitionSteps,
  policies: policySteps,
  replays: replaySteps,
  'logins, PINs and passkeys': loginSteps,
  'proofs by an identity provider': providerSteps,
  'the server': serverSteps,
}

const seen: Seen = new Set()
let folder: string
let running: Running
let walk: Walk

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'statewright-wire-'))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  writeFileSync(join(folder, 'data', 'hooks.json'), JSON.stringify({ hooks }))
  const environment = { HOME: folder, STATEWRIGHT_LOG_LEVEL: 'silent' }
  const started = await startServer({ port: 0, data: join(folder, 'data') }, environment, folder)
  if (!started.ok) throw new Error(started.error.message)
  running = started.value
  const { auth } = running.serving
  const mint = async (kind: 'hook' | 'agent') =>
    (await auth.tokens.mint({ kind, name: kind, createdBy: 'test' })).secret
  const tokens = {
    hook: await mint('hook'),
    agent: await mint('agent'),
    person: await running.serving.mintTestPerson(),
  }
  walk = walkThrough({ url: running.url, tokens, workspace }, seen)
})

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true })
})

test.each(Object.entries(steps))('the answers about %s have their shapes', (_noun, take) =>
  take(walk),
)

test('every JSON answer of every endpoint was seen', () => {
  expect(expectedAnswers().filter((answer) => !seen.has(answer))).toEqual([])
})
