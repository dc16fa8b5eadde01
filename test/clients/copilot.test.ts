import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientSuite } from './client-suite.ts'
import { copilot } from './copilot-client.ts'
import { done, driveClient, limits } from './drive-client.ts'

const isTried = clientSuite(copilot)
const { transition } = copilot

describe.skipIf(!isTried)('the sub-agents of Copilot CLI', limits, () => {
  const { guarded, inWork, write, install, play } = driveClient(copilot)
  beforeAll(install, limits.timeout)

  test('a sub-agent is held to the run of the session that started it', async () => {
    const about = { agent_type: 'general-purpose', description: 'x', prompt: 'sub' }
    const agent = { tool: 'task', input: { ...about, name: 'sub', mode: 'sync' } }
    await play([
      [transition('READY')],
      [transition('OPEN')],
      [agent],
      // These are the sub-agent's.
      [write('sub.txt')],
      [transition('DONE')],
      [{ text: 'Sub-agent done.' }],
      done,
    ])
    expect(readFileSync(inWork('sub.txt'), 'utf8')).toBe('written\n')
    const entries = await guarded().history()
    expect(entries.filter((entry) => entry === 'run_started').length).toBe(1)
    expect(entries.filter((entry) => entry === 'transitioned').length).toBe(3)
  })
})

describe.skipIf(!isTried)('hooks of our name in Copilot CLI that are not ours', limits, () => {
  const { guarded, inHome } = driveClient(copilot)

  test('are left alone', async () => {
    const servers = inHome('.copilot/mcp-config.json')
    const hooks = inHome('.copilot/hooks/statewright.json')
    mkdirSync(dirname(hooks), { recursive: true })
    writeFileSync(servers, '{}')
    writeFileSync(hooks, '{"version": 1}')
    expect((await guarded().command(['install', 'copilot', '--yes'])).code).toBe(2)
    expect(readFileSync(hooks, 'utf8')).toBe('{"version": 1}')
    expect(readFileSync(servers, 'utf8')).toBe('{}')
  })
})
