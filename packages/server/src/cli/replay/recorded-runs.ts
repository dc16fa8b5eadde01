import { basename, extname } from 'node:path'
import {
  type Divergence,
  defined,
  outcomeOfReport,
  type ReplayReport,
} from '@statewright/core/internal'
import {
  type BodyFor,
  endpoints,
  type Replay,
  type ReplayReport as WireReport,
} from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, orRefuse, refuse, tryCall, withServer } from '../command.ts'
import { readPolicyFile } from '../policy/read-policy.ts'
import { printReport } from './print-report.ts'
import { openProgress } from './progress.ts'
import {
  formatOf,
  type ReplayOptions,
  replayExits,
  stoppedExit,
  stopSign,
} from './replay-options.ts'
import type { ReportTitle } from './report-title.ts'
import { lineIn, replayRules } from './rules.ts'
import { readSince } from './since.ts'

type Body = BodyFor<typeof endpoints.startReplay>

const pollMs = 200

/** `statewright replay --definition …`: the runs that the server has recorded. */
export async function replayRecorded(options: ReplayOptions): Promise<void> {
  const since = orRefuse(readSince(options.since, Date.now()))
  const format = formatOf(options)
  const { rules, tried } = triedRules(options)
  const body = { ...tried, ...chosenRuns(options), ...(since === 0 ? {} : { since }) }
  const { reanalyse } = options
  await withServer(async (client) => {
    const replay = await replayed(client, { ...body, reanalyse })
    const { report, problem } = replay
    if (problem !== undefined) {
      const { message, next = 'try again.' } = problem
      refuse({ code: 'internal', message, where: 'replay', next })
    }
    if (report === undefined) {
      process.stderr.write('Stopped. Nothing was changed.\n')
      process.exitCode = stoppedExit
      return
    }
    const played = reportOf(report)
    printReport(played, format, { ...{ rules, since, unit: 'run', foot }, source })
    process.exitCode = replayExits[outcomeOfReport(played)]
  })
}

const source = 'this server'
const foot = [
  'A call that would be decided differently is counted, and its run continues as it did; a run',
  'that would take another path is not compared further. New questions count as answered with yes.',
]

/** Starts it and waits; Ctrl-C stops it at the server as well. */
async function replayed(client: Client, body: Body): Promise<Replay> {
  const stop = stopSign()
  const progress = openProgress(process.stderr)
  try {
    let replay = await started(client, body)
    const params = { id: replay.replay_id }
    while (replay.status === 'running') {
      progress.show('entries', replay.entries, replay.of)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      const row = stop.isStopped() ? endpoints.cancelReplay : endpoints.getReplay
      replay = await call(client, row, { params })
    }
    return replay
  } finally {
    progress.close()
    stop.close()
  }
}

/** Who has no server may have meant transcripts, which need none. */
async function started(client: Client, body: Body): Promise<Replay> {
  const answer = await tryCall(client, endpoints.startReplay, { body })
  if (answer.ok) return answer.value
  const { error } = answer
  if (error.code !== 'server_unreachable') return refuse(error)
  const next =
    'start it with "statewright up", or add --claude-code, --codex, --gemini or --opencode.'
  return refuse({ ...error, next })
}

interface CandidateRules {
  readonly rules: ReportTitle['rules']
  readonly tried: Pick<Body, 'definition' | 'policy' | 'name'>
}

function triedRules(options: ReplayOptions): CandidateRules {
  const { definition, policy, template } = options
  if ([definition, policy, template].filter((one) => one !== undefined).length !== 1) {
    return refuse({
      code: 'usage',
      message: 'Name the rules to try: one definition, one policy or one template.',
      where: 'replay',
      next: 'add --definition, --policy or --template.',
    })
  }
  if (policy !== undefined) {
    const { text, value } = readPolicyFile(policy)
    const name = options.as ?? basename(policy, extname(policy))
    const prefix = `policies.${name}.`
    const lineOf = lineIn(text)
    const located = (path: string) =>
      lineOf(path.slice(path.startsWith(prefix) ? prefix.length : 0))
    return {
      rules: { name: basename(policy), file: policy, lineOf: located },
      tried: { policy: value, name },
    }
  }
  const rules = orRefuse(replayRules({ ...defined({ definition, template }) }))
  return { rules, tried: { definition: rules.text } }
}

/** `workflow=deploy`, `project=/srv/shop`. */
function chosenRuns({ runs }: ReplayOptions): Pick<Body, 'workflow' | 'project'> {
  if (runs === undefined) return {}
  const [, field, value] = /^(workflow|project)=(.+)$/s.exec(runs) ?? []
  if (field !== undefined && value !== undefined) return { [field]: value }
  return refuse({
    code: 'usage',
    message: `"${runs.slice(0, 60)}" does not select any runs.`,
    where: '--runs',
    next: 'write workflow=NAME or project=FOLDER.',
  })
}

/** The report of the API in the words of core. */
function reportOf(wire: WireReport): ReplayReport {
  const { unsure_moves: unsureMoves, divergences, ...rest } = wire
  const { total, not_compared: notCompared, first } = divergences
  const moves = first.map(({ not_compared: left, ...one }) => ({ ...one, notCompared: left }))
  return {
    // The shape of the wire is that of core but for these names.
    ...(rest as Omit<ReplayReport, 'unsureMoves' | 'divergences'>),
    unsureMoves,
    divergences: { total, notCompared, first: moves as Divergence[] }, // as above
  }
}
