import type { Reason } from '../base/problem.ts'
import type { Machine } from '../machine/machine.ts'
import { matchesCapability } from '../policy/capability.ts'
import { evaluatePolicy } from '../policy/evaluate-policy.ts'
import type { CounterTake, UsageFacts } from '../policy/usage.ts'
import { judgeMail } from '../process/mail.ts'
import type { AskedBy } from '../run/decision.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { ExternalAnswer, ToolCall } from '../run/tool-call.ts'
import type { CallShape } from './call-shape.ts'

/** What policies, gates and mail rules say of one call. */
export interface PolicyVoice {
  readonly reasons: Reason[]
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
  usage: UsageFacts,
): PolicyVoice {
  const voice: PolicyVoice = { reasons: [], asks: [], takes: [] }
  for (const machine of machines) {
    judgeGate(machine, shape, voice)
    if (machine.email !== null && call.mail !== undefined) {
      voice.reasons.push(...judgeMail(machine.email, call.mail, run.mailsSent))
    }
    if (machine.policy !== null) {
      const strict = run.settings.strict
      const answer = evaluatePolicy(machine.policy, shape.capability, usage, { strict })
      hear({ source: machine.id, ...answer }, voice)
    }
  }
  return voice
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
  const index = machine.gate.findIndex((pattern) => matchesCapability(pattern, shape.capability))
  if (index < 0) return
  const until = `until the process ${machine.id} is completed: answer it with process_step`
  const message = `${shape.capability} stays closed ${until}.`
  voice.reasons.push({ code: 'gate_closed', message, path: `gate.${index}` })
}
