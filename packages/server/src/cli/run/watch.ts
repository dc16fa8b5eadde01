import { type AnswerOf, type EntryLine, endpoints, type FeedEntry } from '@statewright/core/wire'
import { connect } from '../api/client.ts'
import { followFeed } from '../api/feed.ts'
import { call, type JsonOption, orRefuse, printJson, say, withServer } from '../command.ts'
import { entrySentence } from '../output/entry-lines.ts'
import { printable } from '../output/report.ts'
import { clockTime } from '../output/times.ts'
import { resolveRun, shortId } from './refs.ts'

export interface WatchOptions extends JsonOption {
  readonly all?: true
}

/** `statewright run watch [RUN]`: entries as they are committed, until the run ends or Ctrl-C. */
export async function watchRuns(given: string | undefined, options: WatchOptions): Promise<void> {
  process.once('SIGINT', () => process.exit(130))
  await withServer(async (client) => {
    const print = (entry: EntryLine, runId: string) => printEntry(entry, runId, options)
    if (given === undefined) return watchAll(print, options)
    const id = await resolveRun(client, given)
    const { run_id } = await call(client, endpoints.getRun, { params: { id } })
    return watchOne(run_id, print)
  })
}

type EntryPage = AnswerOf<typeof endpoints.listEntries>
type Print = (entry: EntryLine, runId: string) => void

async function watchAll(print: Print, options: WatchOptions): Promise<void> {
  const take = (entry: FeedEntry) => {
    print(entry, entry.run_id)
    return true
  }
  const connected = async () => {
    say('Watching all runs. Leave with Ctrl-C.')
    return true
  }
  const from = options.all === true ? { from: '0' } : {}
  orRefuse(await followFeed({ ...from, connected, take }))
}

/** The history so far and then what comes; the feed is opened first, so that nothing is missed. */
async function watchOne(runId: string, print: Print): Promise<void> {
  let seen = 0
  let isOver = false
  const show = (entry: EntryLine) => {
    if (entry.seq <= seen) return
    seen = entry.seq
    print(entry, runId)
    if (entry.type === 'run_ended') isOver = true
  }
  const catchUp = async () => {
    const client = orRefuse(connect())
    let after: number | null = seen
    while (after !== null) {
      const sent = { params: { id: runId }, query: { after, limit: 1000 } }
      const page: EntryPage = await call(client, endpoints.listEntries, sent)
      for (const entry of page.entries) show(entry)
      after = page.next
    }
  }
  const followed = await followFeed({
    connected: async () => {
      await catchUp()
      return !isOver
    },
    take: (entry) => {
      if (entry.run_id === runId) show(entry)
      return !isOver
    },
  })
  orRefuse(followed)
}

function printEntry(entry: EntryLine, runId: string, options: WatchOptions): void {
  if (options.json === true) {
    printJson({ run_id: runId, ...entry })
    return
  }
  const line = `${clockTime(entry.at)}  ${shortId(runId)}  ${entrySentence(entry)}`
  process.stdout.write(`${printable(line)}\n`)
}
