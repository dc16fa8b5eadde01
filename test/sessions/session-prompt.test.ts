import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Serving, serve } from '../../packages/server/src/app/serve.ts'
import { createLog } from '../../packages/server/src/observe/logger.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { type FakeModel, startFakeModel } from '../support/fake-anthropic.ts'

let folder: string
let project: string
let store: Store
let serving: Serving
let person: string
let model: FakeModel

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-session-prompt-')))
  project = join(folder, 'project')
  mkdirSync(project)
  store = await openStore({ folder: join(folder, 'data'), durability: 'crash' })
  const served = await serve({
    store,
    settings: defaultSettings,
    port: 0,
    log: createLog({ destination: { write: () => {} } }),
    environment: { PATH: process.env.PATH },
  })
  if (!served.ok) throw new Error(served.error.message)
  serving = served.value
  person = await serving.mintTestPerson()
  model = await startFakeModel([[{ text: 'Hello.' }], [{ text: 'Hello again.' }]])
})
afterEach(async () => {
  await model.close()
  await serving.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(new URL(path, serving.url), {
    method,
    headers: { authorization: `Bearer ${person}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: answer.status, body: (await answer.json()) as any }
}

const spawn = (more: object = {}, options: object = {}) =>
  ask('POST', '/api/sessions', {
    harness: 'model',
    projectPath: project,
    options: { provider: 'anthropic', model: 'claude-x', base_url: `${model.url}/v1`, ...options },
    ...more,
  })

/** Starts a session, says something, and gives back how it stands after the answer. */
async function talk(more: object = {}, options: object = {}) {
  const { body } = await spawn(more, options)
  const session = async () => (await ask('GET', `/api/sessions/${body.sessionId}`)).body
  await expect.poll(async () => (await session()).kind, { timeout: 15_000 }).toBe('ready')
  await ask('POST', `/api/sessions/${body.sessionId}/input`, { text: 'go' })
  await expect
    .poll(async () => (await session()).conversation.at(-1)?.role, { timeout: 15_000 })
    .toBe('assistant')
  return session()
}

const systemOf = (at = 0) => JSON.stringify(model.requests[at]?.system)
const limits = { timeout: 60_000 }

describe('what a model is told before the conversation', limits, () => {
  test('SE-11d: the project, its folder, the date and the branch', async () => {
    writeFileSync(join(project, 'AGENTS.md'), 'Run the tests with "make check".\n')
    writeFileSync(join(project, 'CLAUDE.md'), 'Not this one.\n')
    mkdirSync(join(project, '.git'))
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/topic\n')
    const { systemPrompt } = await talk({}, { system: 'Be brief.' })
    expect(systemPrompt).toMatch(/^Be brief\.\n\n# Environment\n/)
    expect(systemPrompt).toContain(`Folder: ${project}`)
    expect(systemPrompt).toMatch(/Date: \d{4}-\d\d-\d\d/)
    expect(systemPrompt).toContain('on the branch topic')
    expect(systemPrompt).toContain('Run the tests with "make check".')
    expect(systemPrompt).not.toContain('Not this one.')
    expect(model.requests[0]?.system).toMatchObject([{ text: systemPrompt }])
  })

  test('SE-11d: a file that leads out of the workspace is not read, a long one cut', async () => {
    writeFileSync(join(folder, 'secret.md'), 'a secret')
    symlinkSync(join(folder, 'secret.md'), join(project, 'AGENTS.md'))
    writeFileSync(join(project, 'CLAUDE.md'), 'x'.repeat(40_000))
    const { systemPrompt } = await talk()
    expect(systemPrompt).not.toContain('secret')
    expect(systemPrompt).toContain('[8000 characters left out]')
  })

  test('SE-11d: Anthropic caches what never changes and the newest message', async () => {
    await talk()
    expect(systemOf()).toContain('"cache_control":{"type":"ephemeral"}')
    expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain('"cache_control"')
  })

  test('SE-11e: a model gets the tools that its state can allow, and their names', async () => {
    await ask('PUT', '/api/workflows/reading', {
      id: 'reading',
      initial: 'look',
      states: {
        look: { allowed_tools: ['Read', 'Grep'], on: { DONE: 'done' } },
        done: { type: 'final' },
      },
    })
    await talk({ workflow: 'reading' })
    const names = model.requests[0]?.tools.map(({ name }) => name) ?? []
    expect(names).toEqual(expect.arrayContaining(['read_file', 'grep', 'bash']))
    for (const name of ['write_file', 'edit_file', 'apply_patch', 'git_commit']) {
      expect(names).not.toContain(name)
    }
    expect(names).toContain('statewright_transition')
    expect(systemOf()).toContain('Read is read_file')
  })
})

describe('what cannot work', limits, () => {
  test.each([
    ['an option that is misspelt', {}, { temprature: 1 }, 'Did you mean \\"temperature\\"?'],
    ['an option that does not fit', {}, { temperature: 'hot' }, 'temperature'],
    ['a harness that is misspelt', { harness: 'modell' }, {}, 'model'],
    ['a folder that is not there', { projectPath: '/srv/nowhere' }, {}, 'no folder /srv/nowhere'],
    ['a relative folder', { projectPath: 'here' }, {}, 'not an absolute path'],
    ['a file for a folder', { projectPath: process.execPath }, {}, 'is not a folder'],
    [
      'a script that is not there',
      { harness: 'scripted', options: { script: 'nope.yaml' } },
      {},
      'nope.yaml',
    ],
    ['a field that nobody knows', { image: 'x' }, {}, 'image'],
  ])('SE-14b: %s is refused at the start', async (_, more, options, text) => {
    const { status, body } = await spawn(more, options)
    expect([status, body.code]).toEqual([400, 'usage'])
    expect(JSON.stringify(body)).toContain(text)
    expect((await ask('GET', '/api/sessions')).body.sessions).toEqual([])
  })
})
