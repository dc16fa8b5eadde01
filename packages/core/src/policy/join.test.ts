import { describe, expect, test } from 'vitest'
import type { ReasonFacts } from '../base/problem.ts'
import type { PolicyAnswer } from './compile-policy.ts'
import { joinAnswers } from './join.ts'
import type { CounterTake } from './usage.ts'

const take: CounterTake = { kind: 'rate', key: 'k', maxCalls: 1, windowMs: 1000 }
const asks: ReasonFacts = {
  code: 'approval_required',
  message: { phrase: 'policy_unmatched' },
  path: 'policy.ask.0',
}
const denies: ReasonFacts = {
  code: 'policy_denied',
  message: { phrase: 'policy_unmatched' },
  path: 'policy.deny.0',
}
const allow: PolicyAnswer = { kind: 'allow', reasons: [], takes: [take] }
const ask: PolicyAnswer = { kind: 'ask', reasons: [asks], takes: [take] }
const deny: PolicyAnswer = { kind: 'deny', reasons: [denies], takes: [] }

describe('several policies', () => {
  test('PO-1: the strictest wins, all reasons stay in order, a denied call uses nothing', () => {
    expect(joinAnswers([allow, ask, deny])).toEqual({
      kind: 'deny',
      decisive: denies,
      reasons: [asks, denies],
      takes: [],
    })
  })

  test('PO-1: asking beats allowing, and the call uses the counters of both', () => {
    expect(joinAnswers([allow, ask])).toEqual({
      kind: 'ask',
      decisive: asks,
      reasons: [asks],
      takes: [take, take],
    })
  })

  test('PO-1: without a policy nothing is held back', () => {
    expect(joinAnswers([])).toEqual({ kind: 'allow', reasons: [], takes: [] })
  })
})
