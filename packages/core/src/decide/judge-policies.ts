import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { type CapabilityPattern, matchesCapability } from '../policy/capability.ts'
import type { CompiledPolicy, PolicyAnswer } from '../policy/compile-policy.ts'
import { type AskedCapabilities, evaluateCall, type PolicyMode } from '../policy/evaluate-policy.ts'
import type { CounterTake, UsageFacts } from '../policy/usage.ts'
import { judgeMail } from '../process/mail.ts'
import { chooseLane } from '../run/choose-lane.ts'
import type { AskedBy } from '../run/decision.ts'
import type { Actor } from '../run/events.ts'
import { laneOf, machineOf } from '../run/lanes.ts'
import type { Frame, RunSnapshot } from '../run/snapshot.ts'
import type { ExternalAnswer, ToolCall } from '../run/tool-call.ts'
import type { CallShape } from './call-shape.ts'
import { policyReader } from './judge-conditions.ts'
import type { ConditionFacts } from '../run/condition-values.ts'

/** What policies, gates and mail rules say of one call. */
export interface PolicyVoice {
  readonly reasons: ReasonFacts[]
  readonly asks: AskedBy[]
  readonly takes: CounterTake[]
}

/**
 * Asks every machine of the lane: a child's policy holds together with its parents'. The strictest
 * answer wins later on; here all of them are gathered.
 */
export function judgePolicies(
  machines: readonly Machine[],
  run: RunSnapshot,
  call: ToolCall,
  shape: CallShape,
  { usage, isFree }: { readonly usage: UsageFacts; readonly isFree: boolean },
  factsIn: (machine: Machine) => ConditionFacts,
): PolicyVoice {
  const voice: PolicyVoice = { reasons: [], asks: [], takes: [] }
  for (const machine of machines) {
    if (run.status !== 'completed') judgeGate(machine, shape, voice)
    if (machine.email !== null && call.mail !== undefined) {
      voice.reasons.push(...judgeMail(machine.email, call.mail, run.mailsSent))
    }
  }
  const mode = { strict: run.settings.strict, isFree }
  for (const machine of machines) {
    const { policy } = machine
    if (policy === null) continue
    for (const answer of askPolicy(policy, shape.asked, usage, mode, () => factsIn(machine))) {
      hear({ source: policy.name, ...answer }, voice)
    }
  }
  return voice
}

/** Asks a policy by itself: for a decision, and for whoever wants to know what it says. */
export function askPolicy(
  policy: CompiledPolicy,
  asked: AskedCapabilities,
  usage: UsageFacts,
  mode: PolicyMode,
  facts: () => ConditionFacts,
): readonly PolicyAnswer[] {
  let read: PolicyMode['holds']
  const reading: PolicyMode['holds'] = (condition) => {
    read ??= policyReader(policy, facts())
    return read(condition)
  }
  return evaluateCall(policy, asked, usage, { ...mode, holds: reading })
}

/**
 * The definitions that a caller's calls are judged by, from the bottom up: a branch also stands on
 * the run's own. Where a fork is worked by others, those of the run itself hold (PO-1).
 */
export function machinesFor(
  program: Program,
  run: RunSnapshot,
  by: Actor,
  branch?: string,
): readonly Machine[] {
  // A definition that invokes itself speaks once: its rates must not count twice for one call.
  return [...new Set(framesFor(run, by, branch).map((frame) => machineOf(program, frame)))]
}

/** Where a caller stands in each of them; a branch stands where it is, not where it began. */
export function framesFor(run: RunSnapshot, by: Actor, branch?: string): readonly Frame[] {
  const choice = chooseLane(run, by, branch)
  const lane = choice.kind === 'lane' ? laneOf(run, choice.name) : run.main
  if (lane === run.main) return lane.frames
  const [root, ...children] = lane.frames
  const below = run.main.frames.slice(0, -1)
  return root === undefined ? run.main.frames : [...below, root, ...children]
}

/** Adds an answer from outside the run: policies of the project or role, or another run. */
export function hear(answer: ExternalAnswer, voice: PolicyVoice): void {
  voice.takes.push(...(answer.takes ?? []))
  if (answer.kind === 'allow') return
  if (answer.kind === 'deny') {
    voice.reasons.push(...answer.reasons)
    return
  }
  for (const reason of answer.reasons) {
    voice.asks.push({ rule: answer.rule ?? `${answer.source}:${reason.path}`, reason })
  }
}

function judgeGate(machine: Machine, shape: CallShape, voice: PolicyVoice): void {
  const { needed, touched } = shape.asked
  const all = [...needed, ...touched]
  const isMeant = (pattern: CapabilityPattern) => all.some((one) => matchesCapability(pattern, one))
  const index = machine.gate.findIndex(isMeant)
  if (index < 0) return
  const { capability } = shape
  const message = phrase('gate_closed', { capability, process: machine.id })
  voice.reasons.push({ code: 'gate_closed', message, path: `gate.${index}` })
}
