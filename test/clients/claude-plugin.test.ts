import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../packages/server/testing/child.ts'
import { startFakeModel } from '../support/fake-anthropic.ts'
import { startFakeChat } from '../support/fake-openai-chat.ts'
import { claudeProgram, isClaudeInstalled, runClaude } from './claude-client.ts'
import { isCopilotInstalled, runCopilot } from './copilot-client.ts'
import { type GuardedHome, isDriven, openGuardedHome } from './guarded-home.ts'

const withClaude = isDriven('Claude Code', { isInstalled: isClaudeInstalled(), isShort: true })
const withCopilot = isDriven('Copilot CLI', { isInstalled: isCopilotInstalled() })

const limits = { timeout: 120_000 }

let guarded: GuardedHome
let close: (() => Promise<void>) | undefined

const market = () => join(guarded.home, '.statewright', 'plugin')
const plugin = () => join(market(), 'statewright')
const inWork = (name: string) => join(guarded.work, name)

describe('the plugin in the format of Claude Code', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('plugin')
    const { code, stderr } = await guarded.command(['install', 'claude-plugin', '--yes'])
    expect(`${code}\n${stderr}`).toMatch(/^0\n/)
  }, limits.timeout)
  afterAll(() => guarded.close())
  afterEach(() => close?.())

  test.skipIf(!withClaude)('is valid for Claude Code, and so is its market', async () => {
    for (const folder of [plugin(), market()]) {
      const options = {
        cwd: guarded.work,
        environment: { HOME: guarded.home, PATH: '/usr/bin:/bin' },
      }
      const { code, stdout, stderr } = await runProgram(
        claudeProgram,
        ['plugin', 'validate', folder, '--strict'],
        options,
      )
      expect(`${code} ${stdout}${stderr}`).toMatch(/^0 /)
    }
  })

  test.skipIf(!withClaude)('holds Claude Code to the state', async () => {
    const write = (name: string) => () => [
      { tool: 'Write', input: { file_path: inWork(name), content: 'written\n' } },
    ]
    const own = 'mcp__plugin_statewright_statewright__statewright_transition'
    const model = await startFakeModel([
      write('early.txt'),
      [{ tool: own, input: { event: 'READY' } }],
      write('late.txt'),
      [{ text: 'Done.' }],
    ])
    close = model.close
    const args = ['--plugin-dir', plugin(), '--allowedTools', `Write,${own}`]
    await runClaude({ ...guarded, model, args })
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(readFileSync(inWork('late.txt'), 'utf8')).toBe('written\n')
  })

  test.skipIf(!withCopilot)('holds Copilot CLI to the state', async () => {
    const write = (name: string) => () => [
      { tool: 'create', input: { path: inWork(name), file_text: 'written\n' } },
    ]
    const model = await startFakeChat([
      write('first.txt'),
      ({ tools }) => [
        {
          tool: tools.find((name) => name.endsWith('statewright_transition')) ?? 'none',
          input: { event: 'READY' },
        },
      ],
      write('second.txt'),
      [{ text: 'Done.' }],
    ])
    close = model.close
    await runCopilot({ ...guarded, modelUrl: model.url, args: ['--plugin-dir', plugin()] })
    expect(existsSync(inWork('first.txt'))).toBe(false)
    expect(readFileSync(inWork('second.txt'), 'utf8')).toBe('written\n')
  })

  test('goes without a trace', async () => {
    expect((await guarded.command(['uninstall', 'claude-plugin', '--yes'])).code).toBe(0)
    expect(existsSync(join(plugin(), 'hooks', 'hooks.json'))).toBe(false)
    expect(existsSync(join(market(), '.claude-plugin', 'marketplace.json'))).toBe(false)
  })
})
