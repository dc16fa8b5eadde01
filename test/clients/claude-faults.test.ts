import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FakeModel, startFakeModel } from '../support/fake-anthropic.ts'
import { type Fault, type FaultyRelay, faults, startFaultyRelay } from '../support/faulty-relay.ts'
import { runStatewright } from '../support/statewright.ts'
import { isClaudeInstalled, runClaude } from './claude-client.ts'
import { type GuardedHome, isDriven, openGuardedHome } from './guarded-home.ts'

const isTried = isDriven('Claude Code', { isInstalled: isClaudeInstalled() })

const limits = { timeout: 120_000 }

let guarded: GuardedHome
let relay: FaultyRelay
let model: FakeModel | undefined

describe.skipIf(!isTried)('a guard of Claude Code that went bad', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('claude')
    relay = await startFaultyRelay(guarded.server.url)
    const { home, work, server } = guarded
    const done = await runStatewright(['install', 'claude-code', '--user', '--yes'], {
      cwd: work,
      environment: {
        PATH: '/usr/bin:/bin',
        HOME: home,
        STATEWRIGHT_URL: relay.url,
        STATEWRIGHT_TOKEN: server.personToken,
      },
    })
    expect(`${done.code}\n${done.stderr}`).toMatch(/^0\n/)
  }, limits.timeout)
  afterAll(async () => {
    await relay.close()
    await guarded.close()
  })
  afterEach(() => model?.close())

  test.each(Object.keys(faults) as Fault[])(
    'no answer means no: %s opens nothing',
    async (fault) => {
      relay.fault = undefined
      const file = join(guarded.work, 'forbidden.txt')
      rmSync(file, { force: true })
      model = await startFakeModel([
        () => {
          relay.fault = fault
          return [{ tool: 'Write', input: { file_path: file, content: 'x' } }]
        },
        [{ text: 'Done.' }],
      ])
      await runClaude({ ...guarded, model })
      expect(existsSync(file)).toBe(false)
      expect(model.requests.length).toBe(2)
    },
  )
})
