import { describe, expect, it } from 'vitest'
import { checkPolicy } from '../check/check-policy.ts'
import { type Condition, holds } from '../condition/condition.ts'
import { compilePolicy } from './compile-policy.ts'
import { countersFor, evaluatePolicy } from './evaluate-policy.ts'
import type { Policy } from './policy-schema.ts'

const capability = 'mcp:bank:transfer'
const rate = { rate_limit: { max_calls: 1, window_seconds: 60 } }

function ask(policy: Policy, amount: unknown) {
  const compiled = compilePolicy(policy, 'p')
  const args = amount === undefined ? {} : { amount }
  const mode = {
    strict: false,
    holds: (condition: Condition) => holds(condition, { args }),
  }
  const usage = Object.fromEntries(
    countersFor(compiled, { needed: [capability], touched: [] }).map(({ key }) => [
      key,
      { used: 0, max: 1, free: true, resetsAt: null },
    ]),
  )
  return evaluatePolicy(compiled, capability, usage as never, mode)
}

describe('FC-9: rules of a policy with a condition', () => {
  const policy: Policy = {
    deny: [{ capability, when: 'args.amount > 1000' }],
    ask: [{ capability: 'mcp:bank:*', when: 'args.amount > 500', ...rate }],
    allow: [
      { capability, when: 'args.amount <= 100' },
      { capability, ...rate },
    ],
  }
  it.each([
    [2000, 'deny', 0],
    [700, 'ask', 0],
    [50, 'allow', 0],
    [300, 'allow', 1],
  ])('FC-9: %i is %s by the first rule whose condition holds', (amount, kind, index) => {
    const answer = ask(policy, amount)
    expect([answer.kind, answer.matched?.index]).toEqual([kind, index])
  })

  it('FC-9: only the rule that matches counts', () => {
    expect(ask(policy, 50).takes).toEqual([])
    expect(ask(policy, 300).takes).toHaveLength(1)
    expect(ask(policy, 700).takes).toHaveLength(1)
  })

  it.each([
    ['deny', 'deny'],
    ['ask', 'ask'],
    ['allow', 'deny'],
  ] as const)('FC-6: what is not known makes a rule of %s come to %s', (list, kind) => {
    const one: Policy = { [list]: [{ capability, when: 'args.amount > 5' }], default: 'deny' }
    const other = list === 'allow' ? one : { ...one, default: 'allow' as const }
    expect(ask(other, undefined).kind).toBe(kind)
    expect(ask(other, 'a text').kind).toBe(kind)
  })

  it('PO-2: a rule behind one with a condition is reached', () => {
    expect(checkPolicy(policy, ['policy'])).toEqual([])
    const shut: Policy = { allow: [{ capability }, { capability, when: 'args.amount > 5' }] }
    expect(checkPolicy(shut, ['policy']).map(({ code }) => code)).toEqual(['rule_never_reached'])
  })
})
