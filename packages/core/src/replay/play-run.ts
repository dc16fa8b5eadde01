import type { DecisionKind } from '../base/problem.ts'
import { again } from '../history/play-step.ts'
import type { RecordedStep } from '../history/steps.ts'
import type { Program } from '../machine/machine.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import { takeAsHappened } from '../reduce/tool-requested.ts'
import type { Decision } from '../run/decision.ts'
import type { Entry } from '../run/entries.ts'
import type { RunEvent, ToolFinished, ToolRequested } from '../run/events.ts'
import { lanesOf } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { callEvent, countersOf, countersOfPolicy } from './call-event.ts'
import { knownCall, NeedsOfCalls, type StoredTexts, wantsInput } from './known-call.ts'
import { resultFacts, wantsOutput } from './known-result.ts'
import { isSameMoves, movesOf, shownMoves } from './moves.ts'
import { type ChangedRules, Doubts, type MissingOfCall, Readings } from './readings.ts'
import { reanalysed } from './reanalysed.ts'
import type { CountedRun, Recount } from './recount.ts'

/** What one recorded step gives under the changed rules. */
export type PlayedStep =
  | { readonly kind: 'same' }
  /** A move that may go otherwise; it is taken to go as it went. */
  | { readonly kind: 'unsure'; readonly missing: readonly string[] }
  | {
      readonly kind: 'call'
      readonly event: ToolRequested
      readonly state: string
      readonly before: DecisionKind
      readonly after: DecisionKind | 'undecided'
      /** As the changed rules decide; of an undecided call one of the ways. */
      readonly decision: Decision
      readonly missing: readonly string[]
    }
  | {
      readonly kind: 'diverged'
      readonly at: number
      readonly expected: string
      readonly instead: string
      readonly missing: readonly string[]
    }

/** Rules that runs of one definition are played under; made once for all of them. */
export class RulesOfRuns {
  readonly changed: ChangedRules
  readonly readings: Readings
  readonly counters: ReadonlySet<string>
  readonly needs: NeedsOfCalls

  /** Commands are read again, with the tables of today (RP-10). */
  readonly isReanalysing: boolean

  constructor(own: Program, changed: ChangedRules, isReanalysing = false) {
    this.isReanalysing = isReanalysing
    this.changed = changed
    this.readings = new Readings(own, changed)
    this.counters = countersOf(own)
    this.needs = new NeedsOfCalls(own, changed)
  }

  /** Whether rates or budgets of the changed rules are counted again. */
  get hasCounters(): boolean {
    const { program, policy } = this.changed
    const own = [...countersOf(program)].some((take) => !this.counters.has(take))
    return own || (policy !== null && countersOfPolicy(policy).length > 0)
  }
}

const same: PlayedStep = { kind: 'same' }

/**
 * Plays what was recorded of a run under changed rules. A call that would be decided differently is
 * told, and the run goes on as it went; a move that would go otherwise ends the comparison (RP-3).
 */
export class RunPlayer {
  readonly #rules: RulesOfRuns
  readonly #counted: CountedRun
  readonly #workspace: string
  readonly #recount: Recount
  readonly #doubts = new Doubts()
  #run: RunSnapshot | null = null
  #isDiverged = false

  constructor(
    rules: RulesOfRuns,
    { workspace, ...counted }: CountedRun & { readonly workspace: string },
    recount: Recount,
  ) {
    this.#rules = rules
    this.#counted = counted
    this.#workspace = workspace
    this.#recount = recount
  }

  get isDiverged(): boolean {
    return this.#isDiverged
  }

  /** Which texts beside the history the next step is to be played with. */
  wants(step: RecordedStep): readonly ('input' | 'output')[] {
    try {
      return this.#wants(step)
    } catch {
      // What cannot be read needs nothing else; playing it says so.
      return []
    }
  }

  #wants([{ cause }]: RecordedStep): readonly ('input' | 'output')[] {
    if (this.#isDiverged || this.#run === null || cause === undefined) return []
    const { needs, readings } = this.#rules
    if (cause.type === 'tool_requested') return wantsInput(needs, cause) ? ['input'] : []
    if (cause.type !== 'tool_finished') return []
    return wantsOutput(readings, this.#run, cause) ? ['output'] : []
  }

  /** Never throws: a stored history comes from outside, and may hold anything at all. */
  play(step: RecordedStep, kept: StoredTexts = {}): PlayedStep {
    if (this.#isDiverged) return same
    try {
      return this.#play(step, kept)
    } catch {
      return this.#diverge(step, 'the recorded event cannot be read')
    }
  }

  #play(step: RecordedStep, kept: StoredTexts): PlayedStep {
    const [{ cause }] = step
    if (cause === undefined) return this.#diverge(step, 'the recorded event cannot be read')
    switch (cause.type) {
      case 'started':
        return this.#run === null ? this.#start(step, cause) : this.#move(step, cause)
      case 'engine_changed':
        // It holds the run as the old rules left it; ours goes on from where it stands.
        return same
      case 'tool_requested':
        return this.#call(step, cause, kept)
      case 'tool_finished':
        return this.#finish(step, cause, kept)
      case 'approval_resolved':
        return this.#isWithoutRequest(cause.approvalId, step) ? same : this.#move(step, cause)
      default:
        return this.#move(step, cause)
    }
  }

  #start(step: RecordedStep, cause: Extract<RunEvent, { type: 'started' }>): PlayedStep {
    const { program } = this.#rules.readings
    const made = again(() => startRun(program, { ...cause, hash: program.hash }))
    if (made === null) return this.#diverge(step, 'the recorded start cannot be read')
    this.#run = made.run
    if (isSameMoves(made.entries, step)) return same
    return this.#diverge(step, shownMoves(made.entries))
  }

  #call(step: RecordedStep, cause: ToolRequested, kept: StoredTexts): PlayedStep {
    const run = this.#run
    if (run === null) return this.#diverge(step, 'the run was never begun')
    const { needs, readings: rules, counters: recordedCounters } = this.#rules
    const recorded = this.#rules.isReanalysing ? reanalysed(cause, this.#workspace) : cause
    const [recount, counted] = [this.#recount, this.#counted]
    const { call, missing: ofCall } = knownCall(needs, recorded, kept, this.#workspace)
    let event = { ...recorded, call }
    const { readings, missing, isCut } = this.#readings(run, ofCall, () => {
      event = callEvent({ rules, run, counted, recount, recordedCounters }, { ...recorded, call })
      return reduceRun(rules.program, run, event)
    })
    if (readings === null) return this.#diverge(step, 'the recorded event cannot be read')
    const going = readings.filter((one) => isSameMoves(one.entries, step))
    const [first] = going
    if (first === undefined) return this.#diverge(step, shownMoves(readings[0]?.entries ?? []))
    const decided = step.find((entry) => entry.type === 'call_decided')
    if (decided === undefined) {
      this.#take(first, event.at)
      return same
    }
    const before = decided.would ?? decided.decision
    const kinds = new Set(readings.map(kindOf))
    const fits = going.find((one) => kindOf(one) === before)
    if (fits !== undefined) this.#take(fits, event.at)
    else this.#run = takeAsHappened(rules.program, run, event, decided.decision === 'allow')
    const after = kinds.size === 1 && !isCut ? kindOf(first) : 'undecided'
    const shown = readings.find((one) => kindOf(one) !== before) ?? first
    const { state } = decided
    const decision = decisionOf(shown)
    if (decision === undefined || after === undefined) return same
    const unknown = after === 'undecided' ? missing : []
    return { kind: 'call', event: recorded, state, before, after, decision, missing: unknown }
  }

  #finish(step: RecordedStep, recorded: ToolFinished, kept: StoredTexts): PlayedStep {
    if (this.#run === null) return this.#diverge(step, 'the run was never begun')
    const { readings } = this.#rules
    const { event, missing } = resultFacts(readings, this.#run, recorded, kept, this.#doubts)
    const played = this.#move(step, event)
    return played.kind === 'same' && missing.length > 0 ? { kind: 'unsure', missing } : played
  }

  #move(step: RecordedStep, event: RunEvent): PlayedStep {
    const run = this.#run
    if (run === null) return this.#diverge(step, 'the run was never begun')
    const { program } = this.#rules.readings
    const made = this.#readings(run, null, () => reduceRun(program, run, event))
    if (made.readings === null) return this.#diverge(step, 'the recorded event cannot be read')
    const going = made.readings.filter((one) => isSameMoves(one.entries, step))
    const [first] = going
    if (first === undefined) {
      return this.#diverge(step, shownMoves(made.readings[0]?.entries ?? []), made.missing)
    }
    this.#take(first, event.at)
    if (going.length === made.readings.length && !made.isCut) return same
    return { kind: 'unsure', missing: made.missing }
  }

  /** A verdict on a question that the changed rules never asked counts for nothing (RP-5). */
  #isWithoutRequest(approvalId: string, step: RecordedStep): boolean {
    const run = this.#run
    if (run === null || movesOf(step).length > 0) return false
    const lanes = lanesOf(run)
    const isAsked = run.asks.some(({ id }) => id === approvalId)
    return !isAsked && lanes.every(({ approval }) => approval?.id !== approvalId)
  }

  #take({ run, actions }: Step, at: number): void {
    this.#run = run
    this.#recount.apply(this.#counted, actions, at)
  }

  #readings(run: RunSnapshot, call: MissingOfCall | null, make: () => Step) {
    const { readings } = this.#rules
    const made = readings.all({ run, doubts: this.#doubts, call }, () => again(make))
    const read = made.readings.filter((one) => one !== null)
    return { ...made, readings: read.length < made.readings.length ? null : read }
  }

  #diverge(step: RecordedStep, instead: string, missing: readonly string[] = []): PlayedStep {
    this.#isDiverged = true
    const { at } = step[0]
    return { kind: 'diverged', at, expected: shownMoves(withoutCalls(step)), instead, missing }
  }
}

function withoutCalls(step: readonly Entry[]): readonly Entry[] {
  return step.filter(({ type }) => type !== 'call_decided')
}

function decisionOf({ answer }: Step): Decision | undefined {
  return answer.type === 'decided' ? answer.decision : undefined
}

function kindOf(step: Step): DecisionKind | undefined {
  return decisionOf(step)?.kind
}
