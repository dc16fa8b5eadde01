import {
  budgetUsage,
  compilePolicy,
  countersFor,
  describeCall,
  emptyBudget,
  Policy,
  reserveBudget,
  settleBudget,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate-policy.ts'
import { type Play, person, play } from '../../packages/core/src/reduce/play.test-kit.ts'

/** Answers to questions that the main rules leave open, about policies and processes. */

function withPolicy(policy: object): Play {
  const states = { a: { on: { GO: 'b' } }, b: { type: 'final' } }
  return play({ id: 'w', initial: 'a', policy, states } as never)
}

describe('whom a policy binds', () => {
  test('PO-1a: the policy of a definition holds, whatever role it names', () => {
    const played = withPolicy({ role: 'reviewer', deny: [{ capability: 'write' }] })
    expect(played.tool('Write')).toBe('policy_denied')
  })
})

describe('capabilities', () => {
  test.each([
    ['mcp:fs', 'mcp:fs:read', 'allow'],
    ['mcp:fs', 'mcp:fs', 'deny'],
    ['mcp:fs:*', 'mcp:fs:read', 'deny'],
    ['mcp:fs:*', 'mcp:fsx:read', 'allow'],
    ['mcp.fs.*', 'mcp:fs:read', 'deny'],
  ])('PO-3a: with %s denied, %s gets %s', (pattern, capability, kind) => {
    const policy = compilePolicy(Policy.parse({ deny: [{ capability: pattern }] }), 'p')
    expect(evaluatePolicy(policy, capability, {}).kind).toBe(kind)
  })
})

const bash = { needed: ['bash'], touched: [] }

describe('rates', () => {
  const rule = { capability: 'bash', rate_limit: { max_calls: 1, window_seconds: 60 } }
  const keys = (policy: object, name: string) =>
    countersFor(compilePolicy(Policy.parse(policy), name), bash).map((take) => take.key)

  test('PO-5a: a rate belongs to the policy by its name, over versions', () => {
    const before = keys({ allow: [rule] }, 'team')
    const after = keys(
      { deny: [{ capability: 'write' }], allow: [{ capability: 'read' }, rule] },
      'team',
    )
    expect(before).toHaveLength(1)
    expect(after).toEqual(before)
    expect(keys({ allow: [rule] }, 'other')).not.toEqual(before)
  })

  test('PO-5a: the rate of an ask rule counts when the call is used, not when it is asked', () => {
    const played = withPolicy({ ask: [rule] })
    const { policy } = played.program.root
    const [key = ''] = policy === null ? [] : countersFor(policy, bash).map((take) => take.key)
    const usage = { [key]: { used: 0, max: 1, resetsAt: null, free: true } }
    const takes = () =>
      played.last.actions.filter((action) => action.type === 'take_counters').length
    expect(played.bash('ls', { id: 'one', argsHash: 'ls', more: { usage } })).toBe('ask')
    expect(takes()).toBe(0)
    played.resolve('approve')
    expect(takes()).toBe(0)
    expect(played.bash('ls', { id: 'two', argsHash: 'ls', more: { usage } })).toBe('allow')
    expect(takes()).toBe(1)
  })
})

describe('budgets', () => {
  const limit = (reserveMicros: number | null) => ({
    period: 'daily' as const,
    maxMicros: 100,
    reserveMicros,
  })
  const call = (callId: string, now = 1) => ({ callId, capability: 'x', expiresAt: 1000, now })
  const usedAfter = (reserveMicros: number, lastCost: number) => {
    const bound = limit(reserveMicros)
    const first = reserveBudget(emptyBudget, bound, call('one'))
    if (first === undefined) throw new Error('the first call fits')
    const settled = settleBudget(first, bound, { callId: 'one', costMicros: lastCost, now: 2 })
    const second = reserveBudget(settled, bound, call('two', 3))
    if (second === undefined) throw new Error('the second call fits')
    return budgetUsage(second, bound, { capability: 'x', now: 4 }).used - lastCost
  }

  test('PO-6a: reserved is the larger of the last known cost and reserve_usd', () => {
    expect(usedAfter(10, 30)).toBe(30)
    expect(usedAfter(20, 5)).toBe(20)
  })

  test('PO-6a: with neither, one call at a time until a cost is known', () => {
    const bound = limit(null)
    const first = reserveBudget(emptyBudget, bound, call('one'))
    if (first === undefined) throw new Error('the first call fits')
    expect(reserveBudget(first, bound, call('two'))).toBeUndefined()
    const settled = settleBudget(first, bound, { callId: 'one', costMicros: 10, now: 2 })
    const second = reserveBudget(settled, bound, call('two', 3))
    if (second === undefined) throw new Error('the second call fits')
    expect(reserveBudget(second, bound, call('three', 3))).toBeDefined()
  })
})

describe('questions to a person', () => {
  test('PO-7a: a rejected call stays denied in the run, another is asked anew', () => {
    const played = withPolicy({ ask: [{ capability: 'bash' }] })
    expect(played.bash('make deploy', { argsHash: 'deploy' })).toBe('ask')
    played.resolve('reject')
    expect(played.bash('make deploy', { argsHash: 'deploy' })).toBe('approval_rejected')
    played.send('NOTHING')
    expect(played.bash('make deploy', { argsHash: 'deploy' })).toBe('approval_rejected')
    expect(played.bash('make staging', { argsHash: 'staging' })).toBe('ask')
  })

  test('PO-7a: an approval serves the exact arguments once', () => {
    const played = withPolicy({ ask: [{ capability: 'bash' }] })
    expect(played.bash('ls', { argsHash: 'ls' })).toBe('ask')
    played.resolve('approve')
    expect(played.bash('ls -a', { argsHash: 'ls -a' })).toBe('ask')
    expect(played.bash('ls', { argsHash: 'ls' })).toBe('allow')
    expect(played.bash('ls', { argsHash: 'ls' })).toBe('ask')
  })
})

describe('processes', () => {
  const gate = (more: object) => ({
    name: 'gate',
    initial: 'q',
    states: { q: { question: 'Sure?', answers: { yes: { next: null }, no: { next: 'q' } } } },
    ...more,
  })

  test('PR-5a: gate closes its capabilities until the process is completed', () => {
    const played = play(gate({ gate: ['bash', 'mcp:deploy:*'] }) as never)
    expect(played.bash('ls')).toBe('gate_closed')
    expect(played.tool('mcp__deploy__push')).toBe('gate_closed')
    expect(played.tool('Read')).toBe('allow')
    played.answer('no')
    expect(played.bash('ls')).toBe('gate_closed')
    played.answer('yes')
    expect(played.status).toBe('completed')
    expect(played.bash('ls')).toBe('allow')
  })

  test('PR-5a: without a gate the questions stop nothing', () => {
    expect(play(gate({}) as never).bash('ls')).toBe('allow')
  })

  const mail = {
    max_emails_per_session: 3,
    allowed_from: ['Bot <bot@example.com>'],
    allowed_to: ['*@example.com', 'ann@other.org'],
  }
  const send = (input: object, tool = 'mcp__resend__send-email') => {
    const played = play(gate({ email_config: mail }) as never)
    return sendIn(played, input, tool)
  }
  function sendIn(played: Play, input: object, tool: string): string {
    const raw = { id: `m${played.entries.length}`, tool, input }
    const call = describeCall(raw, { root: '/project' })
    const { answer } = played.dispatch({ type: 'tool_requested', call })
    if (answer.type !== 'decided') throw new Error(answer.type)
    return answer.decision.code ?? answer.decision.kind
  }
  const from = 'bot@example.com'

  test.each([
    [{ from, to: 'a@example.com' }, 'allow'],
    [{ from: 'The Bot <BOT@Example.COM>', to: ['Ann <ANN@other.org>'] }, 'allow'],
    [{ from, to: 'a@example.com', cc: ['b@evil.org'] }, 'email_not_allowed'],
    [{ from, to: 'a@example.com', bcc: 'b@evil.org' }, 'email_not_allowed'],
    [{ from, to: 'a@sub.example.com' }, 'email_not_allowed'],
    [{ from, to: 'ann@other.org <x@evil.org>' }, 'email_not_allowed'],
    [{ from: 'other@example.com', to: 'a@example.com' }, 'email_not_allowed'],
  ])('PR-10a: the mail %j gets %s', (input, answer) => {
    expect(send(input)).toBe(answer)
  })

  test('PR-10a: each message of a batch counts', () => {
    const one = { from, to: 'a@example.com' }
    const batch = (count: number) => Array.from({ length: count }, () => one)
    const tool = 'mcp__resend__send-batch-emails'
    const played = play(gate({ email_config: mail }) as never)
    expect(sendIn(played, { emails: batch(2) }, tool)).toBe('allow')
    expect(sendIn(played, { emails: batch(2) }, tool)).toBe('email_limit')
    expect(sendIn(played, { emails: batch(1) }, tool)).toBe('allow')
    expect(sendIn(played, one, 'resend-email')).toBe('email_limit')
  })

  test('PR-4: a process that waits for a person denies every tool but ours', () => {
    const played = play({
      name: 'gate',
      initial: 'q',
      states: { q: { question: 'Go?', answers: { go: { next: null, action: 'notify_human' } } } },
    } as never)
    expect(played.answer('go')).toBe('pending')
    expect(played.tool('Read')).toBe('run_waiting')
    played.resolve('reject', { by: person })
    expect(played.status).toBe('blocked')
    expect(played.tool('Read')).toBe('run_blocked')
  })
})
