import {
  type ChangedRules,
  engine,
  lineOf,
  openReport,
  type PlayedStep,
  type Program,
  type RecordedStep,
  Recount,
  type ReplayedCall,
  type ReplayReport,
  type ReportCounter,
  RulesOfRuns,
  RunPlayer,
  type StoredTexts,
  unreachable,
} from '@statewright/core/internal'
import { compileAttached } from '../runtime/policies.ts'
import { Programs, readProgram } from '../runtime/programs.ts'
import type { Store } from '../store/store.ts'
import { type ChosenRun, chosenRuns } from './chosen-runs.ts'
import { mergedSteps } from './merged-steps.ts'
import { linkOf, replayedCall } from './replayed-call.ts'
import type { ReplayProgress, ReplayRequest } from './request.ts'

/** Entries after which progress is told, and others get their turn. */
const tellEvery = 2000

/** Plays the chosen runs under the changed rules and counts what would have come out otherwise. */
export async function replayRuns(
  store: Store,
  request: ReplayRequest,
  tell: (progress: ReplayProgress) => void,
): Promise<ReplayReport> {
  const { runs, archived } = await chosenRuns(store, request)
  const of = runs.reduce((sum, { seq }) => sum + seq, 0)
  tell({ entries: 0, of })
  const rules = new RulesByHash(store, request)
  const report = openReport()
  if (archived > 0) report.note('Runs left out, since their history is archived', archived)
  const recount = new Recount()
  const players = new Map<string, RunPlayer>()
  let [entries, told] = [0, 0]
  for await (const { run, seq, step, isLast } of mergedSteps(runs, store.runs)) {
    entries += step.length
    if (seq === 1) {
      report.addRun()
      noteEngine(report, step)
      players.set(run.runId, new RunPlayer(await rules.of(run), countedRun(run, step), recount))
    }
    const player = players.get(run.runId)
    if (player !== undefined && !player.isDiverged) {
      const texts = await storedTexts(store, run, step, player)
      count(report, run, seq, player.play(step, texts))
    }
    if (isLast) players.delete(run.runId)
    if (entries - told < tellEvery) continue
    told = entries
    tell({ entries, of })
  }
  tell({ entries, of })
  if (rules.hasCounters) report.note('Rates and budgets count these runs only.')
  return withInputs(store, report.finish())
}

function countedRun({ runId, role, workspace }: ChosenRun, [{ cause }]: RecordedStep) {
  const session = (cause?.type === 'started' ? cause.budgetOf : undefined) ?? runId
  return { id: runId, role, session, workspace: workspace ?? '/' }
}

/** The changed rules beside those that runs were recorded under, made once for each of these. */
class RulesByHash {
  readonly #programs: Programs
  readonly #request: ReplayRequest
  readonly #known = new Map<string, RulesOfRuns>()
  readonly #changed: Program | undefined

  constructor(store: Store, request: ReplayRequest) {
    this.#programs = new Programs(store)
    this.#request = request
    const { rules } = request
    this.#changed = rules.kind === 'definition' ? readProgram(rules.program) : undefined
  }

  get hasCounters(): boolean {
    return [...this.#known.values()].some((rules) => rules.hasCounters)
  }

  async of({ hash }: ChosenRun): Promise<RulesOfRuns> {
    const known = this.#known.get(hash)
    if (known !== undefined) return known
    const own = await this.#programs.byHash(hash)
    const made = new RulesOfRuns(own, this.#changedFor(own), this.#request.reanalyse)
    this.#known.set(hash, made)
    return made
  }

  #changedFor(own: Program): ChangedRules {
    const { rules } = this.#request
    if (rules.kind === 'definition') return { program: this.#changed ?? own, policy: null }
    return { program: own, policy: compileAttached(rules.policy, rules.name) }
  }
}

function noteEngine(report: ReportCounter, [first]: RecordedStep): void {
  const made = first.type === 'run_started' ? (first.engine ?? 1) : engine
  if (made < engine) report.note('Runs that an older version recorded, as far as its events allow.')
}

async function storedTexts(
  store: Store,
  { runId }: ChosenRun,
  step: RecordedStep,
  player: RunPlayer,
): Promise<StoredTexts> {
  const wants = player.wants(step)
  if (wants.length === 0) return {}
  const callId = callIdOf(step)
  const blobs = callId === undefined ? [] : await store.runs.blobsOfCall(runId, callId)
  const texts = blobs.flatMap(({ what, text }) => (wants.includes(what) ? [[what, text]] : []))
  return Object.fromEntries(texts)
}

function callIdOf([{ cause }]: RecordedStep): string | undefined {
  if (cause?.type === 'tool_requested') return cause.call.id
  return cause?.type === 'tool_finished' ? cause.callId : undefined
}

function count(report: ReportCounter, run: ChosenRun, seq: number, played: PlayedStep): void {
  switch (played.kind) {
    case 'same':
      return
    case 'unsure':
      report.unsureMove()
      for (const what of played.missing) report.note(`Moves that ${what} would decide.`)
      return
    case 'call':
      report.add(replayedCall(run, seq, played))
      return
    case 'diverged': {
      const { expected, instead, missing, at } = played
      report.diverge({
        ...{ run: run.runId, index: seq, at, expected, instead },
        notCompared: run.seq - seq,
        ...(missing.length === 0 ? {} : { undecided: missing }),
        link: linkOf(run.runId, seq),
      })
      return
    }
    default:
      unreachable(played)
  }
}

/** Calls that are shown are told with what was stored of their input. */
async function withInputs(store: Store, report: ReplayReport): Promise<ReplayReport> {
  const lines = new Map<string, string>()
  const shown = async (call: ReplayedCall): Promise<ReplayedCall> => {
    const key = JSON.stringify([call.run, call.index])
    const line = lines.get(key) ?? (await storedLine(store, call))
    lines.set(key, line)
    return { ...call, shown: line }
  }
  return { ...report, telling: await Promise.all(report.telling.map(shown)) }
}

async function storedLine(store: Store, { run, index, shown }: ReplayedCall): Promise<string> {
  const [stored] = await store.runs.entries(run, { after: index - 1, limit: 1 })
  const cause = stored?.entry.cause
  if (cause?.type !== 'tool_requested') return shown
  const blobs = await store.runs.blobsOfCall(run, cause.call.id)
  const input = blobs.find(({ what }) => what === 'input')
  return input === undefined ? shown : lineOf(cause.call, JSON.parse(input.text))
}
