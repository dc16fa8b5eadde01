import { checkPolicyText } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { examplePolicy, orderedRules, shownPolicies } from './policy-rules.ts'

const policy = {
  role: 'agent',
  allow: [{ capability: 'a' }],
  ask: [{ capability: 'b' }],
  deny: [{ capability: 'c' }, { capability: 'd' }],
}
const saved = { saved_by: 'ann', saved_at: 0, created_at: 0 }
const attached = { name: 'p', project: null, version: 1, policy, ...saved }
const defined = {
  name: 'workflow:w',
  definition: 'w',
  kind: 'workflow' as const,
  version: 2,
  policy: {},
}

describe('policies on the page', () => {
  test('PO-2: rules stand in the order in which they are asked, with their own usage', () => {
    const [shown] = shownPolicies([attached], [])
    if (shown === undefined) throw new Error('none is shown')
    const usage = (index: number) => ({
      policy: 'policy:p',
      role: 'agent',
      rule: { list: 'deny' as const, index, capability: 'd', path: `policies.p.deny.${index}` },
      kind: 'rate' as const,
      used: 1,
      max: 2,
      resets_at: null,
      free: true,
    })
    const rules = orderedRules(shown, [usage(1)])
    expect(rules.map(({ list, rule }) => [list, rule.capability])).toEqual([
      ['deny', 'c'],
      ['deny', 'd'],
      ['ask', 'b'],
      ['allow', 'a'],
    ])
    expect(rules.map((rule) => rule.usage.length)).toEqual([0, 1, 0, 0])
  })

  test('PO-1b: each says for whom it holds', () => {
    const everybody = { ...attached, policy: {} }
    const project = { ...attached, project: '/shop' }
    const shown = shownPolicies([attached, everybody, project], [defined])
    expect(shown.map(({ where }) => where)).toEqual([
      'calls of the role agent',
      'calls of everybody',
      'calls in the project /shop',
      'every call of a run of this workflow',
    ])
  })

  test('the example to begin with has nothing to complain about', () => {
    expect(checkPolicyText(examplePolicy).findings).toEqual([])
  })
})
