// Archives all that is due in a store, and tells each step before it takes it, until it is killed.
import { writeSync } from 'node:fs'
import { Archiver } from '../../packages/server/src/archive/archiver.ts'
import type { Clock } from '../../packages/server/src/base/clock.ts'
import { createRuntime } from '../../packages/server/src/runtime/create-runtime.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import type { ArchiveStore } from '../../packages/server/src/store/archive-store.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { archiveKeepMs } from './archive-story.ts'

const [folder = '', archive = '', node = '', startsAt = '0', url = ''] = process.argv.slice(2)
const databaseUrl = url === '' ? undefined : url
let now = Number(startsAt)
const clock: Clock = { now: () => now, newId: (prefix) => `${prefix}_${node}` }
const store = await openStore({ databaseUrl, folder, durability: 'crash' })
const settings = { ...defaultSettings, keepMs: archiveKeepMs }
const runtime = createRuntime({ store: telling(store), clock, settings })
const options = { folder: archive, node, onArchived: () => {}, onFault: () => {} }
const archiver = new Archiver(runtime, {
  ...options,
  onBroken: (runId, problem) => say(`broken ${runId}: ${problem}`),
})
say('open')
while ((await archiver.pass()) > 0 || (await left()) > 0) {
  // Longer than the work is another node's: both have it in turns, and meet at what is half done.
  now += 11 * 60_000
}
say('done')
await archiver.close()
await store.close()

async function left(): Promise<number> {
  const [due, half] = [await store.archive.count(now - archiveKeepMs), store.archive.unfinished(1)]
  return due + (await half).length
}

function telling(store: Store): Store {
  const { archive } = store
  const step = <Args extends unknown[], Value>(name: string, work: (...args: Args) => Value) => {
    return (...args: Args): Value => {
      say(name)
      return work(...args)
    }
  }
  const steps: Pick<ArchiveStore, 'blobs' | 'mark' | 'removeEntries' | 'finish'> = {
    blobs: step('blobs', archive.blobs),
    mark: step('mark', archive.mark),
    removeEntries: step('remove', archive.removeEntries),
    finish: step('finish', archive.finish),
  }
  return { ...store, archive: { ...archive, ...steps } }
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
