import type { DatabaseSync } from 'node:sqlite'
import { hasEnded } from '@statewright/core'
import { afterEach, describe, expect, test } from 'vitest'
import { verifyRun } from '../../packages/server/src/runtime/runtime.ts'
import { Player, person } from './player.ts'
import { openRecorded, type RecordedStore, recordings } from './recorded-store.ts'

const opened: RecordedStore[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open(recording: string, spoil?: (database: DatabaseSync) => void) {
  const recorded = await openRecorded(recording, spoil)
  opened.push(recorded)
  return recorded
}

describe.each(recordings)('a store that was written by %s', (recording) => {
  test('WF-34: opens, and every run of it verifies', async () => {
    const { parts, runs } = await open(recording)
    expect(runs.length).toBeGreaterThan(25)
    for (const { runId, seq } of runs) {
      expect(await verifyRun(parts, runId), runId).toMatchObject({ ok: true, entries: seq })
    }
  })

  test('WF-34: goes on with calls, events and verdicts, and verifies again', async () => {
    const recorded = await open(recording)
    const { parts, runs } = recorded
    for (const row of runs) await goOn(new Player(recorded, row.runId))
    for (const { runId, seq } of runs) {
      const verified = await verifyRun(parts, runId)
      expect(verified, runId).toMatchObject({ ok: true })
      expect(verified.entries, runId).toBeGreaterThan(seq)
    }
  })

  test('WF-34: any entry of it that was changed is found', async () => {
    const { runs } = await open(recording)
    const changed: number[] = []
    const spoiled = await open(recording, (database) => {
      for (const { runId, seq } of runs) {
        const at = 1 + ((runId.length * 7) % seq)
        changed.push(at)
        const sql = `UPDATE entries SET entry = replace(entry, '"at":1', '"at":2')
          WHERE run_id = ? AND seq = ?`
        database.prepare(sql).run(runId, at)
      }
    })
    for (const [index, { runId }] of runs.entries()) {
      const found = await verifyRun(spoiled.parts, runId)
      expect(found, runId).toMatchObject({ ok: false, seq: changed[index] })
    }
  })
})

/** A few more steps of whatever the run waits for. */
async function goOn(run: Player): Promise<void> {
  const { parts } = run.world
  await run.use('Read', { file_path: 'later.ts' }, {}, person)
  const rows = await parts.store.approvals.list({ runId: run.runId, status: 'waiting', limit: 50 })
  for (const [index, { approvalId }] of rows.entries()) {
    run.lastApproval = approvalId
    await run.resolve(index % 2 === 0 ? 'approve' : 'reject')
  }
  const live = await parts.live.get(run.runId)
  if (live === undefined || hasEnded(live.snapshot.status)) return
  const state = live.snapshot.main.frames.at(-1)?.state ?? ''
  const machine = live.program.machines.get(live.snapshot.main.frames.at(-1)?.machine ?? '')
  const events = [...(machine?.states.get(state)?.transitions.keys() ?? [])]
  for (const event of events) {
    await run.send(event, { cause: 'later' }, undefined, person)
    await run.bash('echo x > later.txt', person)
  }
  await run.event({ type: 'paused' })
  await run.event({ type: 'resumed' })
}
