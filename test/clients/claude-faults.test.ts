import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runStatewright } from '../../packages/server/testing/child.ts'
import { type FakeModel, startFakeModel } from '../support/fake-anthropic.ts'
import { type Fault, type FaultyRelay, faults, startFaultyRelay } from '../support/faulty-relay.ts'
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
        // The relay has another address than the one that the server proves to be its own.
        STATEWRIGHT_TRUST_URL: '1',
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

/** Why the guard is a command (ADR 27). When one of these fails, HTTP may come back. */
describe.skipIf(!isTried)(
  'Claude Code with a guard over HTTP, set to block on failure',
  limits,
  () => {
    let guard: Server
    let body = ''

    beforeAll(async () => {
      guarded = await openGuardedHome('claude')
      guard = createServer((request, response) => {
        request.resume().on('end', () => {
          response.setHeader('content-type', 'application/json').end(body)
        })
      })
      await new Promise<void>((resolve) => guard.listen(0, '127.0.0.1', resolve))
      const { port } = guard.address() as AddressInfo // A TCP server has one.
      const url = `http://127.0.0.1:${port}/`
      const entry = { type: 'http', url, timeout: 10, onFailure: 'block' }
      mkdirSync(join(guarded.home, '.claude'))
      writeFileSync(
        join(guarded.home, '.claude', 'settings.json'),
        JSON.stringify({ hooks: { PreToolUse: [{ hooks: [entry] }] } }),
      )
    }, limits.timeout)
    afterAll(async () => {
      guard.closeAllConnections()
      guard.close()
      await guarded.close()
    })
    afterEach(() => model?.close())

    test.each([
      ['nothing', '', true],
      ['an empty object', '{}', true],
      ['an object of something else', '{"status":"ok"}', true],
      ['half of an object', '{"hookSpecificOutput":', false],
    ])('%s as an answer (%j): it writes is %j', async (_what, answer, isWritten) => {
      body = answer
      const file = join(guarded.work, 'open.txt')
      rmSync(file, { force: true })
      model = await startFakeModel([
        [{ tool: 'Write', input: { file_path: file, content: 'x' } }],
        [{ text: 'Done.' }],
      ])
      await runClaude({ ...guarded, model })
      expect(existsSync(file)).toBe(isWritten)
    })
  },
)
