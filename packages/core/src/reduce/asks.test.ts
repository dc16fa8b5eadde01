import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import type { ExternalAnswer } from '../run/tool-call.ts'
import { agent, person, play, rows, system, worker } from './play.test-kit.ts'

const workflow = `
id: w
initial: a
policy:
  role: agent
  ask: [{capability: "mcp:fs:*"}, {capability: webfetch, rate_limit: {max_calls: 2,
      window_seconds: 60}}]
  deny: [{capability: "mcp:fs:delete"}]
states: {a: {on: {GO: b, END: z}}, b: {allowed_tools: [mcp__fs__write]}, z: {type: final}}
`
const write = 'mcp__fs__write'
const asking = (rule: string): ExternalAnswer => ({
  source: rule,
  kind: 'ask',
  rule,
  reasons: [
    {
      code: 'approval_required',
      message: { phrase: 'approval_required', values: { capability: rule } },
      path: rule,
    },
  ],
})

describe('a policy that asks', () => {
  test('PO-7: the call waits: an approval is opened, and nothing is counted', () => {
    const run = play(workflow)
    expect(run.tool(write, { argsHash: 'x' })).toBe('ask')
    expect(run.last.answer).toMatchObject({
      decision: { kind: 'ask', code: 'approval_required', approvalId: 'ask1001', takes: [] },
    })
    expect(run.last.actions).toEqual([
      {
        type: 'open_approval',
        approvalId: 'ask1001',
        kind: 'ask',
        message: 'A person must approve calls of mcp:fs:* first.',
        expiresAt: 301_001,
      },
    ])
    expect(run.left).toEqual(['approval_opened', 'call_decided'])
    expect(run.frame().counters.iterations).toBe(0)
  })

  test('PO-7: the same call asked again opens no second approval', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    expect(run.tool(write, { argsHash: 'x' })).toBe('ask')
    expect(run.last.answer).toMatchObject({ decision: { approvalId: 'ask1001' } })
    expect(run.run.asks.length).toBe(1)
    run.resolve('approve')
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
  })

  test('PO-7b: an approval serves the agent that asked, and no other', () => {
    const run = play(workflow)
    const facts = (asker: string) => ({ argsHash: 'x', more: { asker } })
    expect(run.tool(write, facts('one'))).toBe('ask')
    run.resolve('approve')
    expect(run.tool(write, facts('other'))).toBe('ask')
    expect(run.tool(write, facts('one'))).toBe('allow')
  })

  test('PO-7: an approval serves once', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    run.resolve('approve')
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
    expect(run.run.asks).toEqual([])
    expect(run.tool(write, { argsHash: 'x' })).toBe('ask')
  })

  const changed = rows<'rule' | 'what' | 'tool' | 'server' | 'args'>(`
    rule  what                       tool              server  args
    PO-7  other arguments            mcp__fs__write    -       y
    PO-7  another tool of the rule   mcp__fs__append   -       x
    PO-7  another server             write             fs:2    x
  `)
  test.each(changed)('$rule: an approval does not serve $what', ({ tool, server, args }) => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    run.resolve('approve')
    const more = server === '-' ? {} : { server }
    expect(run.tool(tool, { argsHash: args, ...more })).toBe('ask')
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
  })

  test('PO-7: the same words to another server of one wide rule are another call', () => {
    const wide = workflow.replace('"mcp:fs:*"', '"mcp:*"')
    const run = play(wide)
    run.tool('write', { server: 'fs', argsHash: 'x' })
    run.resolve('approve')
    expect(run.tool('write', { server: 'prod', argsHash: 'x' })).toBe('ask')
    expect(run.tool('write', { server: 'fs', argsHash: 'x' })).toBe('allow')
  })

  test('PO-7: "always" frees the rule for this run, not the other rules', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    run.resolve('approve', { always: true })
    expect(run.last.entries[0]).toMatchObject({ verdict: 'approved', always: true })
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
    expect(run.tool('mcp__fs__append', { argsHash: 'q' })).toBe('allow')
    expect(run.tool('mcp__fs__delete')).toBe('policy_denied')
    expect(run.tool('WebFetch', usage(run, 0))).toBe('ask')
    expect(run.at(10 ** 9).tool(write, { argsHash: 'much later' })).toBe('allow')
  })

  test('PO-7e: what was allowed from now on is not used up, and stands in the history', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    const allowance = { covers: { kind: 'call' }, where: 'run', until: 10 ** 8 } as const
    run.resolve('approve', { always: true, allowance })
    expect(run.last.entries[0]).toMatchObject({ verdict: 'approved', always: true, allowance })
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
    expect(run.tool(write, { argsHash: 'y' })).toBe('ask')
    expect(run.at(10 ** 7).tool(write, { argsHash: 'x' })).toBe('allow')
    expect(run.at(10 ** 8).tool(write, { argsHash: 'x' })).toBe('ask')
  })

  test('PO-7: a rejection denies the same call for the rest of the run', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    expect(run.resolve('reject', { note: 'no' })).toBe('approval_rejected')
    expect(run.tool(write, { argsHash: 'x' })).toBe('approval_rejected')
    expect(run.at(10 ** 9).tool(write, { argsHash: 'x' })).toBe('approval_rejected')
    expect(run.tool(write, { argsHash: 'y' })).toBe('ask')
    run.resolve('approve', { always: true })
    expect(run.tool(write, { argsHash: 'y' })).toBe('allow')
    expect(run.tool(write, { argsHash: 'x' })).toBe('approval_rejected')
  })

  test('PO-7: a question that expires is a denial, and may be put again', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    expect(run.at(301_001).resolve('approve')).toBe('approval_expired')
    expect(run.tool(write, { argsHash: 'x' })).toBe('ask')
    expect(run.resolve('expire', { by: system })).toBe('approval_expired')
    expect(run.run.asks).toEqual([])
  })

  test('PO-7: a question left behind is closed when the next one is put', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    expect(run.at(400_000).tool(write, { argsHash: 'y' })).toBe('ask')
    expect(run.left).toEqual(['approval_resolved', 'approval_opened', 'call_decided'])
    expect(run.resolve('expire', { by: system, approvalId: 'ask1001' })).toBe('approval_resolved')
    expect(run.run.asks.map((ask) => ask.argsHash)).toEqual(['y'])
  })

  test('PO-7: an approval that is not used in time is void', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    run.at(2000).resolve('approve')
    expect(run.at(2000 + limits.approvalUseMs).tool(write, { argsHash: 'x' })).toBe('ask')
  })

  test('PO-7: an agent cannot answer its own question, whoever it says it is', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    expect(run.resolve('approve', { by: agent })).toBe('self_approval')
    expect(run.resolve('approve', { by: worker('ann') })).toBe('self_approval')
    expect(run.resolve('approve', { by: system })).toBe('self_approval')
    expect(run.tool(write, { argsHash: 'x' })).toBe('ask')
  })

  test('PO-7: open approvals of a run are capped, and one answered makes room', () => {
    const run = play(workflow)
    const ask = (args: number) => run.tool(write, { argsHash: `${args}` })
    for (let count = 0; count < limits.openApprovals; count++) expect(ask(count)).toBe('ask')
    expect(ask(99)).toBe('approvals_full')
    expect(ask(0)).toBe('ask')
    run.resolve('reject')
    expect(ask(99)).toBe('ask')
  })

  test('PO-7: resolving twice is refused, a wrong id as well', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'x' })
    run.resolve('reject')
    expect(run.resolve('approve', { approvalId: 'ask1001' })).toBe('approval_resolved')
    expect(run.resolve('approve', { approvalId: 'other' })).toBe('unknown_approval')
  })

  test('PO-7: rejections are still known after many other questions', () => {
    const run = play(workflow)
    run.tool(write, { argsHash: 'bad' })
    run.resolve('reject')
    for (let count = 0; count < limits.rememberedAsks + 5; count++) {
      run.tool(write, { argsHash: `${count}` })
      run.resolve('approve')
      run.tool(write, { argsHash: `${count}` })
    }
    expect(run.tool(write, { argsHash: 'bad' })).toBe('approval_rejected')
  })
})

function usage(run: ReturnType<typeof play>, used: number) {
  const rule = run.program.root.policy?.exact.get('webfetch')?.[0]
  const key = rule?.counters[0]?.key ?? ''
  const facts = { used, max: 2, resetsAt: used < 2 ? null : 61_000, free: used < 2 }
  return { more: { usage: { [key]: facts } } }
}

describe('several judges at once', () => {
  test('PO-1: the strictest answer wins and all reasons are kept', () => {
    const run = play(workflow)
    const external: ExternalAnswer[] = [
      { source: 'role', kind: 'allow', reasons: [] },
      {
        source: 'project',
        kind: 'deny',
        reasons: [{ code: 'policy_denied', message: { phrase: 'policy_unmatched' }, path: 'p' }],
      },
      asking('extra'),
    ]
    expect(run.tool(write, { more: { external } })).toBe('policy_denied')
    expect(run.last.answer).toMatchObject({
      decision: {
        kind: 'deny',
        reasons: [
          { code: 'policy_denied', path: 'p' },
          { code: 'approval_required', path: 'policy.ask.0' },
          { code: 'approval_required', path: 'extra' },
        ],
      },
    })
    expect(run.run.asks).toEqual([])
  })

  test('PO-1, PO-7: one verdict answers every rule that asked about the call', () => {
    const run = play(workflow)
    const more = { external: [asking('one'), asking('two')] }
    expect(run.tool(write, { argsHash: 'x', more })).toBe('ask')
    expect(run.run.asks.map((ask) => ask.id)).toEqual(['ask1001', 'ask1001', 'ask1001'])
    run.resolve('approve')
    expect(run.tool(write, { argsHash: 'x', more })).toBe('allow')
    expect(run.run.asks).toEqual([])
    expect(run.tool(write, { argsHash: 'x', more })).toBe('ask')
    run.resolve('reject')
    expect(run.tool(write, { argsHash: 'x', more })).toBe('approval_rejected')
  })

  test('PO-1: an approval does not open what the state denies', () => {
    const run = play(workflow)
    run.tool('mcp__fs__append', { argsHash: 'x' })
    run.resolve('approve', { always: true })
    run.send('GO')
    expect(run.tool('mcp__fs__append', { argsHash: 'x' })).toBe('tool_not_allowed')
    expect(run.tool(write, { argsHash: 'x' })).toBe('allow')
  })

  test('PO-4, PO-7: the rate of an ask rule counts when the call is used', () => {
    const run = play(workflow)
    expect(run.tool('WebFetch', { argsHash: 'x', ...usage(run, 1) })).toBe('ask')
    expect(run.last.actions.map((action) => action.type)).toEqual(['open_approval'])
    run.resolve('approve')
    expect(run.tool('WebFetch', { argsHash: 'x', ...usage(run, 1) })).toBe('allow')
    expect(run.last.actions).toMatchObject([{ type: 'take_counters', takes: [{ kind: 'rate' }] }])
    expect(run.tool('WebFetch', { argsHash: 'y', ...usage(run, 2) })).toBe('rate_exceeded')
    expect(run.tool('WebFetch', { argsHash: 'y' })).toBe('rate_exceeded')
  })

  test('PO-7, WF-15a: a rule of the role asks after the end, and approvals serve once', () => {
    const run = play(workflow)
    run.send('END')
    const more = { external: [asking('role')] }
    expect(run.tool('Read', { argsHash: 'x', more })).toBe('ask')
    expect(run.resolve('approve', { by: person })).toBe('approved')
    expect(run.tool('Read', { argsHash: 'x', more })).toBe('allow')
    expect(run.tool('Read', { argsHash: 'x', more })).toBe('ask')
  })

  test('PO-7: asking about a call of a paused run spends its approval all the same', () => {
    const run = play(workflow)
    run.pause()
    const more = { external: [asking('role')] }
    run.tool('Read', { argsHash: 'x', more })
    run.resolve('approve')
    expect(run.tool('Read', { argsHash: 'x', more })).toBe('allow')
    expect(run.tool('Read', { argsHash: 'x', more })).toBe('ask')
  })
})
