import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DashboardWorld } from '../packages/server/testing/dashboard/world.ts'

let world: DashboardWorld

beforeAll(async () => {
  world = await DashboardWorld.open()
  await world.run('bugfix')
}, 60_000)

afterAll(() => world.close())

async function accept(token: string): Promise<{ code?: string }> {
  const answer = await fetch(`${world.url}/api/config/accept`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  return (await answer.json()) as { code?: string }
}

test('SH-18, PE-2: a change of the configuration is accepted with a proof of the person', {
  timeout: 60_000,
}, async () => {
  const file = join(world.folder, 'statewright.yaml')
  const ann = async () => {
    const { tokens } = world.running.serving.auth
    return (await tokens.mint({ kind: 'person', name: 'ann', createdBy: 'somebody' })).secret
  }
  await world.restart(async () => writeFileSync(file, 'mode: observe\n'))
  expect((await accept(await ann())).code).toBe('step_up_required')
  expect((await world.person('GET', '/api/config')).settings.mode).toBe('enforce')
  await world.restart(async () => writeFileSync(file, 'protected_paths: [deploy]\n'))
  expect((await accept(await ann())).code).toBe('step_up_required')
  expect(await world.person('POST', '/api/config/accept', {})).toMatchObject({ waiting: null })
  expect((await world.person('GET', '/api/config')).settings.protected_paths).toEqual(['deploy'])
})
