import { hash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'
import { reading, startClient } from './clients.ts'

/** The server itself: its mode, its configuration, and how far it can be trusted. */
export async function serverSteps(walk: Walk): Promise<void> {
  await walk.call(endpoints.isUp)
  await walk.call(endpoints.isReady)
  const made = await walk.call(endpoints.createToken, { body: { kind: 'agent', name: 'key' } })
  const body = { key: hash('sha256', made.token).slice(0, 16), nonce: '0'.repeat(32) }
  expect((await walk.call(endpoints.proveServer, { body })).mac).toMatch(/^[0-9a-f]{64}$/)
  await walk.call(endpoints.getMetrics)
  await walk.call(endpoints.getServer)
  const archive = await walk.call(endpoints.getArchive, { query: { keep: '90d' } })
  expect(archive).toMatchObject({ keep: null, archived: 0, due: { total: 0 } })
  await walk.call(endpoints.describeApi)
  await walk.call(endpoints.getConfigSchema)
  await walk.call(endpoints.startDemo, { body: {} })
  await clients(walk)
  await walk.call(endpoints.getMode)
  const { choice } = await walk.call(endpoints.setMode, { body: { mode: 'observe' } })
  expect(choice?.mode).toBe('observe')
  await walk.call(endpoints.getTrust)
  await walk.call(endpoints.setMode, { body: { mode: 'enforce' } })
  await strict(walk)
}

async function clients(walk: Walk): Promise<void> {
  const findings = [{ check: 'canary', status: 'broken', message: 'no', next: 'again' } as const]
  const one = { client: 'codex', scope: 'user', project: '/p', url: 'http://x', findings }
  const body = { ok: false, only: 'codex', clients: [one] }
  await walk.call(endpoints.reportClients, { body })
  const { report } = await walk.call(endpoints.listClients)
  expect(report?.clients).toHaveLength(1)
}

/** In strict mode a call that nobody judged holds its run; a change of that mode waits. */
async function strict(walk: Walk): Promise<void> {
  const file = join(dirname(walk.workspace), 'statewright.yaml')
  const client = await startClient(walk)
  const { run } = client
  writeFileSync(file, 'strict: true\n')
  const { waiting } = await walk.call(endpoints.reloadConfig)
  const hash = waiting?.hash ?? ''
  expect(waiting?.changes.map(({ key }) => key)).toEqual(['strict'])
  await walk.call(endpoints.getConfig)
  await walk.call(endpoints.acceptConfig, { body: { hash } })
  await client.hook({ hook_event_name: 'PreToolUse', ...reading('seen') })
  const tool_calls = [reading('seen'), reading('unseen')]
  await client.hook({ hook_event_name: 'PostToolBatch', tool_calls })
  const { unjudged } = await walk.as('person').call(endpoints.getTrust)
  expect(unjudged.last?.run_id).toBe(run)
  await walk.call(endpoints.trustRun, { params: { id: run } })
  await walk.call(endpoints.listClients)
  await walk.as('person').call(endpoints.stopRun, { params: { id: run }, body: {} })
  rmSync(file)
  const back = await walk.call(endpoints.reloadConfig)
  await walk.call(endpoints.acceptConfig, { body: { hash: back.waiting?.hash ?? '' } })
}
