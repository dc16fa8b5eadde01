import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientSuite } from './client-suite.ts'
import { done, driveClient, limits } from './drive-client.ts'
import { commandGemini, gemini, geminiSettings, readGeminiSettings } from './gemini-client.ts'

const isTried = clientSuite(gemini)
const { transition } = gemini

describe.skipIf(!isTried)('the sub-agents of Gemini CLI', limits, () => {
  const { install, play, received } = driveClient(gemini)
  beforeAll(install, limits.timeout)

  test('WF-25: no branch is given to a client that names no sub-agents', async () => {
    const bind = {
      tool: 'mcp_statewright_statewright_load_workflow',
      input: { name: 'plan-then-write', branch: 'left' },
    }
    await play([[bind], done])
    expect(received(1)).toContain('branch_bound')
    expect(received(1)).toContain('one after the other')
  })
})

describe.skipIf(!isTried)('the extension for Gemini CLI', limits, () => {
  const { guarded, inWork, inHome, write, play } = driveClient(gemini)
  const settings = () => readGeminiSettings(guarded().home)
  const folder = () => inHome('.gemini/extensions/statewright')

  test('is a sound one to the client, guards it, and is examined like the settings', async () => {
    const { command, home } = guarded()
    expect((await command(['install', 'gemini-extension', '--yes'])).code).toBe(0)
    expect(settings()).toBe(geminiSettings)
    const validated = await commandGemini(home, ['extensions', 'validate', folder()])
    expect(validated).toMatchObject({ code: 0 })
    await play([[write('early.txt')], [transition('READY')], [write('late.txt')], done])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(existsSync(inWork('late.txt'))).toBe(true)
    const examined = await command(['doctor', 'gemini-extension'])
    expect(examined.stdout).toContain('ok       canary')
    expect(examined.code).toBe(0)
  })

  test('is not put beside the settings, where each call would be judged twice', async () => {
    const { code, stderr } = await guarded().command(['install', 'gemini', '--yes'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('already installed')])
  })

  test('goes without a trace', async () => {
    const { code } = await guarded().command(['uninstall', 'gemini-extension', '--yes'])
    expect(code).toBe(0)
    expect(existsSync(folder())).toBe(false)
    expect(settings()).toBe(geminiSettings)
  })
})
