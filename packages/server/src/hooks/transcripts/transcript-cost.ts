import { hash } from 'node:crypto'
import { join } from 'node:path'
import { type Caller, sessionKey } from '../../base/caller.ts'
import type { CodingClient, ModelTokens, ModelUse } from '../../clients/client.ts'
import { costOfUsage } from '../../prices/prices.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { reportCost, reportUsage } from '../../runtime/runs/report-cost.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { readLines } from './read-lines.ts'

export interface TranscriptCall {
  readonly runtime: Runtime
  readonly client: CodingClient
  readonly caller: Caller
  readonly session: string
  readonly paths: readonly string[]
}

/** How far a transcript was read, and what was counted of the answers that may still grow. */
interface Mark {
  readonly offset: number
  readonly counted: readonly (readonly [id: string, used: ModelTokens])[]
}

const rememberedAnswers = 64
const maxPaths = 4

/**
 * Counts what the models of a coding client used since the last look, by its transcript (PR-9b).
 * What lies before the run is not the run's. How far it was read is kept in the store, since a
 * restart would else count everything again.
 */
export async function countTranscripts(call: TranscriptCall, live: LiveRun): Promise<void> {
  const { client, paths } = call
  if (client.transcripts === undefined) return
  for (const path of paths.slice(0, maxPaths)) {
    await call.runtime.queue.inOrder(`transcript ${path}`, () => countOne(call, live, path))
  }
}

async function countOne(call: TranscriptCall, live: LiveRun, path: string): Promise<void> {
  const { runtime, client, caller, session } = call
  const { transcripts } = client
  if (transcripts === undefined) return
  const { home, clientFolders } = runtime.settings
  const homes = home === null ? [] : [join(home, transcripts.homeFolder)]
  const folders = [...homes, ...clientFolders].map((one) => join(one, transcripts.folder))
  const key = `transcript.${hash('sha256', `${sessionKey(caller, session)}\n${path}`)}`
  const mark = readMark(await runtime.store.settings.get(key))
  const read = await readLines(path, folders, mark.offset)
  if (read === undefined || read.offset === mark.offset) return
  const counted = new Map(mark.counted)
  const spent = new Spent()
  for (const line of read.lines) {
    const use = transcripts.use(line)
    if (use === undefined || (use.at !== undefined && use.at < live.row.createdAt)) continue
    spent.add(use, counted.get(use.id))
    counted.delete(use.id)
    counted.set(use.id, use.used)
  }
  await spent.tell(runtime, caller, live.row.runId)
  const kept = [...counted].slice(-rememberedAnswers)
  await runtime.store.settings.set(key, JSON.stringify({ offset: read.offset, counted: kept }))
}

function readMark(text: string | undefined): Mark {
  if (text === undefined) return { offset: 0, counted: [] }
  return JSON.parse(text) as Mark // Written above, and nowhere else.
}

/** What the new lines of a transcript add up to: one entry, however many they are. */
class Spent {
  readonly #uses = new Map<string, { use: ModelUse; before: ModelTokens | undefined }>()

  /** The last line of an answer counts; of what was counted before, only what has been added. */
  add(use: ModelUse, before: ModelTokens | undefined): void {
    const known = this.#uses.get(use.id)
    this.#uses.set(use.id, { use, before: known === undefined ? before : known.before })
  }

  async tell(runtime: Runtime, caller: Caller, run: string): Promise<void> {
    let micros = 0
    const unknown = new Map<string, { input: number; output: number }>()
    for (const { use, before } of this.#uses.values()) {
      const { prices } = runtime.settings
      const now = costOfUsage(use.model, use.used, prices)
      const then = before === undefined ? undefined : costOfUsage(use.model, before, prices)
      if (now.ok) {
        micros += Math.max(0, now.value - (then?.ok === true ? then.value : 0))
      } else if (before === undefined) {
        const sum = unknown.get(use.model) ?? { input: 0, output: 0 }
        const { input, cacheRead, cacheWrite, cacheWriteLong, output } = use.used
        sum.input += input + cacheRead + cacheWrite + cacheWriteLong
        sum.output += output
        unknown.set(use.model, sum)
      }
    }
    if (micros > 0) await reportCost(runtime, caller, { run }, micros, { isCounted: true })
    for (const [model, usage] of unknown)
      await reportUsage(runtime, caller, { run }, { model, usage })
  }
}
