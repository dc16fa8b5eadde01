import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { Machine } from '../machine/machine.ts'
import { type CapabilityPattern, matchesCapability } from '../policy/capability.ts'
import type { CompiledPolicy, PolicyAnswer } from '../policy/compile-policy.ts'
import { type CallCapabilities, evaluateCall, type PolicyMode } from '../policy/evaluate-policy.ts'
import type { CounterTake, UsageFacts } from '../policy/usage.ts'
import { judgeMail } from '../process/mail.ts'
import type { ConditionFacts } from '../run/condition-values.ts'
import type { AskRule } from '../run/decision.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { ExternalAnswer, ToolCall } from '../run/tool-call.ts'
import type { CallShape } from './call-shape.ts'
import { policyReader } from './judge-conditions.ts'

/** What policies, gates and mail rules say of one call. */
export interface PolicyVerdicts {
  readonly reasons: ReasonFacts[]
  readonly asks: AskRule[]
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
): PolicyVerdicts {
  const verdicts: PolicyVerdicts = { reasons: [], asks: [], takes: [] }
  for (const machine of machines) {
    if (run.status !== 'completed') judgeGate(machine, shape, verdicts)
    if (machine.email !== null && call.mail !== undefined) {
      verdicts.reasons.push(...judgeMail(machine.email, call.mail, run.mailsSent))
    }
  }
  const mode = { strict: run.settings.strict, isFree }
  for (const machine of machines) {
    const { policy } = machine
    if (policy === null) continue
    for (const answer of askPolicy(policy, shape.asked, usage, mode, () => factsIn(machine))) {
      hear({ source: policy.name, ...answer }, verdicts)
    }
  }
  return verdicts
}

/** Asks a policy by itself: for a decision, and for anyone who wants to know what it says. */
export function askPolicy(
  policy: CompiledPolicy,
  asked: CallCapabilities,
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

/** Adds an answer from outside the run: policies of the project or role, or another run. */
export function hear(answer: ExternalAnswer, verdicts: PolicyVerdicts): void {
  verdicts.takes.push(...(answer.takes ?? []))
  if (answer.kind === 'allow') return
  if (answer.kind === 'deny') {
    verdicts.reasons.push(...answer.reasons)
    return
  }
  for (const reason of answer.reasons) {
    verdicts.asks.push({ rule: answer.rule ?? `${answer.source}:${reason.path}`, reason })
  }
}

function judgeGate(machine: Machine, shape: CallShape, verdicts: PolicyVerdicts): void {
  const { needed, touched } = shape.asked
  const all = [...needed, ...touched]
  const isMeant = (pattern: CapabilityPattern) => all.some((one) => matchesCapability(pattern, one))
  const index = machine.gate.findIndex(isMeant)
  if (index < 0) return
  const { capability } = shape
  const message = phrase('gate_closed', { capability, process: machine.id })
  verdicts.reasons.push({ code: 'gate_closed', message, path: `gate.${index}` })
}
