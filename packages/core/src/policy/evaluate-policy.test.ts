import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shownReason } from '../base/problem.ts'
import { compileCapability, matchesCapability } from './capability.ts'
import { compilePolicy } from './compile-policy.ts'
import { countersFor, evaluateCall, evaluatePolicy } from './evaluate-policy.ts'
import { joinAnswers } from './join.ts'
import type { Policy } from './policy-schema.ts'
import type { CounterUsage, UsageFacts } from './usage.ts'

const seed: Policy = {
  role: 'agent',
  allow: [{ capability: 'bash', rate_limit: { max_calls: 100, window_seconds: 3600 } }],
  ask: [
    {
      capability: 'mcp:filesystem:write_file',
      budget_limit: { max_usd: 5, period: 'daily' },
      reserve_usd: 0.25,
    },
  ],
  deny: [{ capability: 'mcp:filesystem:delete_file' }],
}
const compiled = compilePolicy(seed, 'process:deploy-gate')
const rateKey = '["process:deploy-gate","allow","bash",3600]'
const budgetKey = '["process:deploy-gate","ask","mcp:filesystem:write_file","daily"]'
const rate = {
  kind: 'rate',
  key: rateKey,
  maxCalls: 100,
  windowMs: 3_600_000,
} as const
const budget = {
  kind: 'budget',
  key: budgetKey,
  period: 'daily',
  maxMicros: 5_000_000,
  reserveMicros: 250_000,
} as const
const bash = { needed: ['bash'], touched: [] }
const room: CounterUsage = { used: 1, max: 100, resetsAt: null, free: true }
const resetsAt = Date.UTC(2026, 1, 28, 23, 59, 59)
const full: CounterUsage = { used: 100, max: 100, resetsAt, free: false }

describe('one policy', () => {
  test('PO-2: an allowed call passes and says which counters it uses', () => {
    expect(evaluatePolicy(compiled, 'bash', { [rateKey]: room })).toEqual({
      kind: 'allow',
      rule: '["process:deploy-gate","allow","bash"]',
      matched: { list: 'allow', index: 0, capability: 'bash', path: 'policy.allow.0' },
      reasons: [],
      takes: [rate],
      counters: [rate],
    })
  })

  test('PO-2, PO-7: a call to be asked about names its rule', () => {
    const path = 'policy.ask.0'
    const capability = 'mcp:filesystem:write_file'
    expect(evaluatePolicy(compiled, capability, { [budgetKey]: room })).toEqual({
      kind: 'ask',
      rule: '["process:deploy-gate","ask","mcp:filesystem:write_file"]',
      matched: { list: 'ask', index: 0, capability, path },
      reasons: [
        {
          code: 'approval_required',
          message: { phrase: 'approval_required', values: { capability } },
          path,
        },
      ],
      takes: [budget],
      counters: [budget],
    })
  })

  test('PO-2: a denied call is denied whatever else matches', () => {
    const policy = compilePolicy(
      {
        allow: [{ capability: '*' }],
        ask: [{ capability: 'mcp:fs:rm' }],
        deny: [{ capability: 'mcp:fs:*' }],
      },
      'p',
    )
    expect(evaluatePolicy(policy, 'mcp:fs:rm', {})).toMatchObject({
      kind: 'deny',
      reasons: [{ code: 'policy_denied', path: 'policy.deny.0' }],
    })
  })

  test('PO-2: without a match the default holds; strict mode denies what nobody allowed', () => {
    const answers = (policy: Policy) =>
      [false, true].map(
        (strict) => evaluatePolicy(compilePolicy(policy, 'p'), 'read', {}, { strict }).kind,
      )
    expect(answers({})).toEqual(['allow', 'deny'])
    expect(answers({ default: 'allow' })).toEqual(['allow', 'allow'])
    expect(answers({ default: 'deny' })).toEqual(['deny', 'deny'])
    const { reasons } = evaluatePolicy(compilePolicy({ default: 'deny' }, 'p'), 'read', {})
    expect(reasons.map(shownReason)).toEqual([
      {
        code: 'policy_denied',
        message:
          'No rule of the policy allows this call. Work without it, or ask a person to add a rule.',
        path: 'policy.default',
      },
    ])
  })

  test('PO-4: a used up rate denies and says when there is room again', () => {
    const answer = evaluatePolicy(compiled, 'bash', { [rateKey]: full })
    expect({ ...answer, reasons: answer.reasons.map(shownReason) }).toMatchObject({
      kind: 'deny',
      reasons: [
        {
          code: 'rate_exceeded',
          message:
            'The policy allows 100 calls of bash in 3600 seconds; 100 used. ' +
            'Try again after 2026-02-28T23:59:59.000Z.',
          path: 'policy.allow.0.rate_limit',
        },
      ],
      takes: [],
    })
  })

  test('PO-4: a used up budget denies, and no weaker rule is asked instead', () => {
    const capability = 'mcp:filesystem:write_file'
    const policy = compilePolicy({ ...seed, allow: [{ capability: '*' }] }, 'process:deploy-gate')
    const spent = { used: 4_900_000, max: 5_000_000, resetsAt, free: false }
    const answer = evaluatePolicy(policy, capability, { [budgetKey]: spent })
    expect({ ...answer, reasons: answer.reasons.map(shownReason) }).toMatchObject({
      kind: 'deny',
      reasons: [
        {
          code: 'budget_exceeded',
          message:
            `The daily budget of ${capability} is $5.00; $4.90 used. ` +
            'Try again after 2026-02-28T23:59:59.000Z.',
        },
      ],
    })
  })

  test('PO-4: usage that is not known denies', () => {
    const inherited: UsageFacts = Object.create({ [rateKey]: room })
    for (const usage of [{}, inherited]) {
      expect(evaluatePolicy(compiled, 'bash', usage)).toMatchObject({
        kind: 'deny',
        reasons: [{ code: 'rate_exceeded' }],
      })
    }
  })

  test('PO-5: a counter belongs to the policy by name; a new version gives no new one', () => {
    const later: Policy = {
      allow: [
        { capability: 'read' },
        { capability: 'Bash', rate_limit: { max_calls: 7, window_seconds: 3600 } },
      ],
    }
    const [before] = countersFor(compiled, bash)
    const [after] = countersFor(compilePolicy(later, 'process:deploy-gate'), bash)
    expect(after).toEqual({ ...before, maxCalls: 7 })
    const other = countersFor(compilePolicy(seed, 'process:other'), bash)[0]
    expect(other?.key).not.toBe(before?.key)
  })

  const deeds = [
    ['deny', 'write', ['write'], ['edit'], 'deny'],
    ['deny', 'edit', ['write'], ['edit'], 'deny'],
    ['deny', 'edit', ['write'], [], 'allow'],
    ['deny', 'write', ['edit', 'write'], [], 'deny'],
    ['ask', 'edit', ['write'], ['edit'], 'ask'],
    ['allow', 'write', ['write'], ['edit'], 'allow'],
    ['allow', 'edit', ['edit', 'write'], [], 'deny'],
    ['allow', '*', ['edit', 'write'], [], 'allow'],
  ] as const
  test.each(deeds)(
    'PO-3b: with %s %s, a call that needs %j and touches %j is %5$s',
    (list, capability, needed, touched, kind) => {
      const rest = list === 'allow' ? 'deny' : 'allow'
      const policy = compilePolicy({ [list]: [{ capability }], default: rest }, 'p')
      const answers = evaluateCall(policy, { needed, touched }, {})
      expect(joinAnswers(answers).kind).toBe(kind)
    },
  )

  test('PO-3b: a rule that covers all that a call does counts it once', () => {
    const rate_limit = { max_calls: 3, window_seconds: 60 }
    const policy = compilePolicy({ allow: [{ capability: '*', rate_limit }] }, 'p')
    const asked = { needed: ['edit', 'write'], touched: [] }
    const [take, ...more] = countersFor(policy, asked)
    expect(more).toEqual([])
    const answers = evaluateCall(policy, asked, { [take?.key ?? '']: room })
    expect(answers.map(({ kind, takes }) => [kind, takes])).toEqual([['allow', [take]]])
  })

  test('PO-6b: a call that can cost nothing holds no money back, and stops when it is gone', () => {
    const budget_limit = { max_usd: 1, period: 'daily' } as const
    const policy = compilePolicy({ allow: [{ capability: '*', budget_limit }] }, 'p')
    const [take] = countersFor(policy, bash)
    const free = { strict: false, isFree: true }
    const answer = (usage: CounterUsage) =>
      evaluatePolicy(policy, 'bash', { [take?.key ?? '']: usage }, free)
    const waits: CounterUsage = { used: 5, max: 10, resetsAt, free: false, waits: true }
    expect([answer(waits).kind, answer(waits).takes]).toEqual(['allow', []])
    expect(answer(full).kind).toBe('deny')
  })

  test('PO-3: a pattern with a star in its midst opens nothing and closes more', () => {
    const policy = (list: 'allow' | 'deny') =>
      compilePolicy(
        { [list]: [{ capability: 'mcp:*:read' }], default: list === 'allow' ? 'deny' : 'allow' },
        'p',
      )
    expect(evaluatePolicy(policy('allow'), 'mcp:fs:read', {}).kind).toBe('deny')
    expect(evaluatePolicy(policy('deny'), 'mcp:fs:write', {}).kind).toBe('deny')
  })

  test('PO-2: the answer is that of walking the lists one after the other', () => {
    const pattern = fc.constantFrom('a', 'b', 'mcp:s:t', 'mcp:s:*', 'mcp:*', '*', 'mcp:s:u', 'a*')
    const list = fc.array(fc.record({ capability: pattern }), { maxLength: 4 })
    const policy = fc.record({
      deny: list,
      ask: list,
      allow: list,
      default: fc.constantFrom('allow' as const, 'deny' as const),
    })
    const capability = fc.constantFrom('a', 'b', 'ab', 'mcp:s:t', 'mcp:s:u', 'mcp:r:t', 'x')
    fc.assert(
      fc.property(policy, capability, (written, wanted) => {
        const { kind, matched } = evaluatePolicy(compilePolicy(written, 'p'), wanted, {})
        const [found] = (['deny', 'ask', 'allow'] as const).flatMap((name) =>
          written[name].flatMap((rule, index) =>
            matchesCapability(compileCapability(rule.capability), wanted) ? [{ name, index }] : [],
          ),
        )
        const path = found && `policy.${found.name}.${found.index}`
        expect({ kind, path: matched?.path }).toEqual({
          kind: found?.name ?? written.default,
          path,
        })
      }),
      { numRuns: 500 },
    )
  })
})
