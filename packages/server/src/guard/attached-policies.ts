import type { ExternalAnswer, UsageFacts } from '@statewright/core/internal'
import type { UsedOf } from '../base/used-of.ts'
import type { PolicySet } from '../runtime/policies.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { askAllPolicies, type PolicyQuestion } from './ask-policies.ts'

/** What stands in the event of a call about policies and their counters. */
export interface PolicyFacts {
  /** Usage that the definition's own policies and budgets need; undefined where none counts. */
  readonly usage: UsageFacts | undefined
  /** What policies of the project and role said: answers, not texts, so that replay needs none. */
  readonly answers: readonly ExternalAnswer[]
  /** Rules that ask a person, by their key, with what is used of their limits. */
  readonly asking: ReadonlyMap<string, readonly UsedOf[]>
  /** The policies that were asked: the decision is committed against it. */
  readonly epoch: number
}

/**
 * Reads the counters of every policy that holds for a call, and asks those that do not belong to
 * the definition. It is done again for each try to commit: between two another call may have taken
 * the last room.
 */
export async function policyFactsOf(
  runtime: Runtime,
  set: PolicySet,
  question: PolicyQuestion,
): Promise<PolicyFacts> {
  const { defined, attached, session } = await askAllPolicies(runtime, set, question)
  const asking = new Map<string, readonly UsedOf[]>()
  for (const { answer, used } of [...defined, ...attached]) {
    if (answer.kind === 'ask' && answer.rule !== undefined) asking.set(answer.rule, used)
  }
  const versions = new Map(set.all.map(({ row, compiled }) => [compiled.name, row.version]))
  const answers = attached.flatMap(({ policy, answer, marks }): ExternalAnswer[] => {
    const { kind, rule, reasons, takes } = answer
    if (kind === 'allow' && takes.length === 0 && marks.length === 0) return []
    const more = {
      ...(rule === undefined ? {} : { rule }),
      ...(takes.length > 0 ? { takes } : {}),
      ...(marks.length > 0 ? { marks } : {}),
    }
    const version = versions.get(policy.name)
    const source = { source: policy.name, ...(version === undefined ? {} : { version }) }
    return [{ ...source, kind, reasons, ...more }]
  })
  const own = Object.assign({}, session, ...defined.map(({ usage }) => usage))
  const usage = Object.keys(own).length === 0 ? undefined : own
  return { usage, answers, asking, epoch: set.epoch }
}
