import {
  type Actor,
  type Decision,
  decideToolCall,
  type ExternalAnswer,
  machineOfCaller,
  type Program,
  type Reason,
  type RunSnapshot,
  stateOfCaller,
  type ToolCall,
  textOf,
} from '@statewright/core/internal'
import { readField } from '../text/edit-text.ts'
import { type Change, candidates, type Denied, type StateCounts } from './candidates.ts'
import { helpFor } from './help.ts'

/** A call that was denied, with everything needed to judge it once more. */
export interface DeniedCall {
  /** Where the run stood just before. */
  readonly run: RunSnapshot
  readonly call: ToolCall
  readonly by: Actor
  readonly at: number
  readonly branch?: string | undefined
  readonly external?: readonly ExternalAnswer[] | undefined
  /** As they were recorded, those of rules outside the definition included. */
  readonly reasons: readonly Reason[]
}

export type Suggestion =
  /** The text allows the call as it is: the run is bound to another version. */
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'change'
      readonly text: string
      readonly changes: readonly Change[]
      /** A person is still asked each time. */
      readonly needsApproval: boolean
      /** What the command would do for good, or hides: then the denial is the better answer. */
      readonly risks: readonly string[]
      readonly help: readonly string[]
    }
  | { readonly kind: 'none'; readonly help: readonly string[] }

const maxChanges = 6
const maxRisks = 4

/**
 * The smallest change of a definition that would allow a denied call. Nothing is guessed: each
 * change is tried on the text and judged by the same decision that said no, and the answer is only
 * offered when the call is let through in the end.
 */
export function suggestChange(
  text: string,
  compile: (text: string) => Program | null,
  denied: DeniedCall,
): Suggestion {
  const before = judge(text, compile, denied)
  const outside = reasonsElsewhere(denied.reasons, before?.decision.reasons ?? [])
  const ways = wayHelp(before?.decision)
  if (before === null) return { kind: 'none', help: compile(text) === null ? unusable : gone }
  const outsideHelp = helpOf(outside)
  if (before.decision.kind !== 'deny') {
    return outside.length === 0 ? { kind: 'allowed' } : { kind: 'none', help: outsideHelp }
  }
  let current = text
  let now = before
  const changes: Change[] = []
  while (now.decision.kind === 'deny' && changes.length < maxChanges) {
    const better = firstThatHelps(current, compile, denied, now)
    if (better === null) return { kind: 'none', help: [...helpOf(denied.reasons), ...ways] }
    changes.push(better.change)
    current = better.text
    now = better.judged
  }
  if (now.decision.kind === 'deny') return { kind: 'none', help: helpOf(denied.reasons) }
  const needsApproval = now.decision.kind === 'ask'
  const risks = risksOf(denied.call)
  const help = [...outsideHelp, ...ways]
  return { kind: 'change', text: current, changes, needsApproval, risks, help }
}

/** What our own reading of the command says against letting it through. */
function risksOf({ shell }: ToolCall): readonly string[] {
  if (shell === undefined) return []
  const found = [...shell.guard, ...shell.writes, ...shell.takeovers, ...shell.unknowns]
  return [...new Set(found.map(({ message }) => textOf(message)))].slice(0, maxRisks)
}

interface DecidedCall {
  readonly decision: Decision
  readonly machine: string
  readonly state: string
  readonly counted: StateCounts
}

const gone = ['The definition no longer has this state, so a new run takes another path.']
const unusable = ['The definition cannot be used as it is; fix its findings first.']

function judge(
  text: string,
  compile: (text: string) => Program | null,
  denied: DeniedCall,
): DecidedCall | null {
  const program = compile(text)
  if (program === null) return null
  const { run, call, by, at, branch, external } = denied
  try {
    const state = stateOfCaller(program, run, by, branch)
    const machine = machineOfCaller(program, run, by, branch)
    const lane =
      run.fork?.branches.find(({ lane: one }) => one.frames.at(-1)?.state === state?.name)?.lane ??
      run.main
    const counters = lane.frames.at(-1)?.counters
    const { decision } = decideToolCall({ program, run, call, by, at, branch, external })
    return {
      decision,
      machine: machine.id,
      state: state?.name ?? '',
      counted: {
        iterations: counters?.iterations ?? 0,
        bytes: counters?.bytes ?? 0,
        files: counters?.files.length ?? 0,
      },
    }
  } catch {
    // The state that the run stands in is gone from this version.
    return null
  }
}

function firstThatHelps(
  text: string,
  compile: (text: string) => Program | null,
  denied: DeniedCall,
  now: DecidedCall,
): { readonly text: string; readonly change: Change; readonly judged: DecidedCall } | null {
  const facts: Denied = {
    text,
    state: now.state,
    call: denied.call,
    counted: now.counted,
    field: (name) => readField(text, ['states', now.state, name]),
  }
  for (const reason of now.decision.reasons) {
    for (const candidate of candidates(reason, facts)) {
      if (candidate.text === null || candidate.text === text) continue
      const judged = judge(candidate.text, compile, denied)
      if (judged === null || !isBetter(judged.decision, now.decision, reason)) continue
      return { text: candidate.text, change: candidate.change, judged }
    }
  }
  return null
}

/** The reason is gone, and nothing of the same weight came in its place. */
function isBetter(after: Decision, before: Decision, reason: Reason): boolean {
  if (after.kind !== 'deny') return true
  const count = (decision: Decision) =>
    decision.reasons.filter(({ code }) => code === reason.code).length
  return count(after) < count(before)
}

/** What spoke against the call without being written in the definition. */
function reasonsElsewhere(recorded: readonly Reason[], own: readonly Reason[]): readonly Reason[] {
  return recorded.filter(
    ({ code, path }) =>
      !path.startsWith('states') && !own.some((one) => one.code === code && one.path === path),
  )
}

function helpOf(reasons: readonly Reason[]): readonly string[] {
  return [...new Set(reasons.map(({ code }) => helpFor(code)))]
}

function wayHelp(decision: Decision | undefined): readonly string[] {
  const way = decision?.way ?? []
  if (way.length === 0) return []
  const steps = way.map(({ event, target }) => `${event} → ${target}`).join(', ')
  return [`Without any change the agent can get there by moving on: ${steps}.`]
}
