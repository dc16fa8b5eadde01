import { Entry } from '@statewright/core/wire'
import { expect, test } from 'vitest'
import { wireEntry } from '../../packages/server/src/http/routes/wire.ts'
import { allEntries } from '../../packages/server/src/runtime/runs/read-run.ts'
import { openRecorded, recordings } from '../histories/recorded-store.ts'

test.each(recordings)(
  'every entry that %s recorded has its shape on the wire',
  async (recording) => {
    const { runtime, runs, close } = await openRecorded(recording)
    const types = new Set<string>()
    for (const { runId } of runs) {
      for (const stored of await allEntries(runtime, runId)) {
        const reported: unknown = JSON.parse(JSON.stringify(wireEntry(stored, true)))
        const read = Entry.parse(reported)
        expect(read, `${runId} ${stored.seq}`).toEqual(reported)
        types.add(read.type)
      }
    }
    await close()
    expect(types.size).toBeGreaterThan(20)
  },
)
