import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { describeFor } from '../decide/describe-call.ts'
import { parseWorkflow } from '../definition/parse/parse-workflow.ts'
import { stepsOf } from '../history/steps.ts'
import type { Program } from '../machine/machine.ts'
import { compileProgram } from '../machine/program.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import type { Policy } from '../policy/policy-schema.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import type { Entry } from '../run/entries.ts'
import type { RunEvent } from '../run/events.ts'
import type { StoredTexts } from './known-call.ts'
import { RulesOfRuns, RunPlayer } from './play-run.ts'
import { Recount } from './recount.ts'

const by = { kind: 'agent', id: 'a' } as const
const person = { kind: 'person', id: 'ann' } as const

const plain = {
  id: 'w',
  initial: 'working',
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}

function compiled(written: object): Program {
  const parsed = parseWorkflow(written)
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  const program = compileProgram({ kind: 'workflow', definition: parsed.definition })
  if (!program.ok) throw new Error(JSON.stringify(program.error))
  return program.value
}

type Happened =
  | { readonly call: string; readonly input?: JsonObject; readonly exit?: 'success' | 'failure' }
  | { readonly send: string }
  | { readonly verdict: 'approve' | 'reject' }

/** A run under some rules, a second between two events. */
function recorded(program: Program, story: readonly Happened[]): readonly Entry[] {
  const started = startRun(program, { type: 'started', at: 0, by: person, hash: program.hash })
  const entries = [...started.entries]
  let run = started.run
  let at = 0
  const take = (event: RunEvent) => {
    const step = reduceRun(program, run, event)
    run = step.run
    entries.push(...step.entries)
    return step
  }
  for (const [index, one] of story.entries()) {
    at += 1000
    const approvalId = `apr${index}`
    if ('send' in one) {
      take({ type: 'transition_requested', at, by, event: one.send, approvalId })
      continue
    }
    if ('verdict' in one) {
      const id = run.asks[0]?.id ?? run.main.approval?.id ?? ''
      const { verdict } = one
      take({ type: 'approval_resolved', at, by: person, approvalId: id, verdict })
      continue
    }
    const { call: tool, input = {}, exit = 'success' } = one
    const id = `c${index}`
    const call = describeFor(program, { id, tool, input }, { root: '/srv/work' })
    const asking = { approvalId, approvalExpiresAt: at + 600_000 }
    const { answer } = take({ type: 'tool_requested', at, by, call, ...asking })
    if (answer.type !== 'decided' || answer.decision.kind !== 'allow') continue
    take({ type: 'tool_finished', at, by, callId: id, bytes: 1, exit, source: 'observed' })
  }
  return entries
}

/** What became of each call and move under other rules, in short. */
function played(
  own: Program,
  changed: Program,
  entries: readonly Entry[],
  { policy, texts }: { policy?: Policy; texts?: StoredTexts } = {},
): readonly string[] {
  const tried = policy === undefined ? null : compilePolicy(policy, 'policy:team', 'p', 'attached')
  const rules = new RulesOfRuns(own, { program: changed, policy: tried })
  const run = { id: 'r', role: 'agent', session: 'r', workspace: '/srv/work' }
  const player = new RunPlayer(rules, run, new Recount())
  return stepsOf(entries).flatMap((step) => {
    const stored = player.wants(step).length > 0 ? texts : undefined
    const one = player.play(step, stored)
    if (one.kind === 'same') return []
    if (one.kind === 'unsure') return [`unsure: ${one.missing.join()}`]
    if (one.kind === 'diverged') return [`${one.expected} | ${one.instead}`]
    const missing = one.missing.length === 0 ? '' : ` ${one.missing.join()}`
    return [`${one.before} > ${one.after}${missing}`]
  })
}

/** Plays a story that was recorded under the first rules under the second. */
function tried(before: object, after: object, story: readonly Happened[], texts?: StoredTexts) {
  const own = compiled(before)
  const more = texts === undefined ? {} : { texts }
  return played(own, compiled(after), recorded(own, story), more)
}

const bash = (command: string, exit?: 'failure'): Happened => {
  return { call: 'Bash', input: { command }, ...(exit === undefined ? {} : { exit }) }
}

describe('what was not recorded', () => {
  const requiring = (require: string) => ({
    ...plain,
    calls: { mcp__bank__pay: [{ require, message: 'No.' }] },
  })
  const pay: readonly Happened[] = [{ call: 'mcp__bank__pay', input: { to: 'ann', amount: 5 } }]

  test('RP-4: arguments are missing without the input, and read with it', () => {
    const over = requiring('args.amount > 100')
    expect(tried(plain, over, pay)).toEqual(['allow > undecided args.amount'])
    const input = JSON.stringify({ to: 'ann', amount: 5 })
    expect(tried(plain, over, pay, { input })).toEqual(['allow > deny'])
    expect(tried(plain, requiring('args.amount < 100'), pay, { input })).toEqual(['allow > allow'])
  })

  test('RP-4: one that no rule needed before is known where another rule did', () => {
    const before = requiring('args.amount < 100')
    expect(tried(before, requiring('args.amount < 1'), pay)).toEqual(['allow > deny'])
    expect(tried(before, requiring('args.to == "bob"'), pay)).toEqual(['allow > undecided args.to'])
  })

  test('RP-4: a secret that was left out is missing, also deep inside', () => {
    const input = JSON.stringify({ to: { key: '[redacted]' }, amount: 5 })
    const both = requiring('args.to.key == "x" && args.amount < 100')
    expect(tried(plain, both, pay, { input })).toEqual(['allow > undecided args.to'])
  })

  test('RP-4: what every answer of it gives is decided', () => {
    const shut = {
      ...requiring('args.amount > 100'),
      states: { ...plain.states, working: { allowed_tools: ['Read'], on: { DONE: 'done' } } },
    }
    expect(tried(plain, shut, pay)).toEqual(['allow > deny'])
  })

  test('RP-4: a mark that rests on it is in doubt from then on', () => {
    const marked = {
      ...plain,
      marks: { paid: { on: 'mcp__bank__pay', when: 'args.amount > 100' } },
      calls: { WebFetch: [{ require: '!marks.paid', message: 'No.' }] },
    }
    const story: readonly Happened[] = [{ call: 'WebFetch' }, ...pay, { call: 'WebFetch' }]
    const expected = ['allow > allow', 'allow > allow', 'allow > undecided marks.paid']
    expect(tried(plain, marked, story)).toEqual(expected)
  })

  test('RP-4: a fact is unlearnt until something could have taught it, and then in doubt', () => {
    const taught = {
      ...plain,
      facts: { seen: { from: 'mcp__bank__look', value: 'result.ok' } },
      calls: { WebFetch: [{ require: 'facts.seen', message: 'Look first.' }] },
    }
    const story: readonly Happened[] = [
      { call: 'WebFetch' },
      { call: 'mcp__bank__look' },
      { call: 'WebFetch' },
    ]
    const [first, , last] = tried(plain, taught, story)
    expect([first, last]).toEqual(['allow > deny', 'allow > undecided facts.seen'])
    const output = JSON.stringify('{"ok": true}')
    expect(tried(plain, taught, story, { output }).at(-1)).toBe('allow > allow')
    const cut = JSON.stringify('{"ok"\n[900 characters left out]\n}')
    expect(tried(plain, taught, story, { output: cut }).at(-1)).toBe('allow > undecided facts.seen')
  })

  test('RP-4: evidence over other files: no where none was proved, else unsure', () => {
    const proved = {
      ...plain,
      evidence: { tests: { tool: 'Bash', command: 'npm test', stale_after: ['src/**'] } },
      guards: { green: { evidence: 'tests' } },
      states: { ...plain.states, working: { on: { DONE: { target: 'done', guard: 'green' } } } },
    }
    const green = tried(plain, proved, [bash('npm test'), { send: 'DONE' }])
    expect(green).toEqual(['allow > allow', 'unsure: files of evidence.tests'])
    const never = tried(plain, proved, [bash('ls'), { send: 'DONE' }])
    expect(never.at(-1)).toMatch(/^working → done \(DONE\).* \| refused \((guard_failed|evidence)/)
    const red = tried(plain, proved, [bash('npm test', 'failure'), { send: 'DONE' }])
    expect(red.at(-1)).toMatch(/ \| refused/)
  })

  test('RP-4: the task is missing where no rule read it', () => {
    const asked = requiring('mentions(task, args.to)')
    expect(tried(plain, asked, pay)).toEqual(['allow > undecided args.to,task'])
  })
})

describe('people and counters', () => {
  const asking = { ...plain, policy: { ask: [{ capability: 'bash' }] } }
  const approved: readonly Happened[] = [bash('ls'), { verdict: 'approve' }, bash('ls')]

  test('RP-5: a verdict counts again for the same question', () => {
    const also = { ...plain, policy: { ask: [{ capability: 'edit' }, { capability: 'bash' }] } }
    expect(tried(asking, also, approved)).toEqual(['ask > ask', 'allow > allow'])
    const never = tried(asking, plain, approved)
    expect(never).toEqual(['ask > allow', 'allow > allow'])
  })

  test('RP-5: a new question is newly asked each time, and taken to be approved', () => {
    const twice = [bash('ls'), bash('pwd'), { send: 'DONE' }] as const
    expect(tried(plain, asking, twice)).toEqual(['allow > ask', 'allow > ask'])
  })

  test('RP-6: a changed rate is counted from nothing; what it denies takes no room', () => {
    const rated = (max_calls: number) => ({
      ...plain,
      policy: { allow: [{ capability: 'bash', rate_limit: { max_calls, window_seconds: 3 } }] },
    })
    const story = Array.from({ length: 6 }, () => bash('ls'))
    const answers = tried(plain, rated(2), story).map((one) => one.split(' > ')[1])
    expect(answers).toEqual(['allow', 'allow', 'deny', 'allow', 'allow', 'deny'])
  })

  test('RP-6: money is held back and booked as it was told', () => {
    const budgeted = {
      ...plain,
      policy: {
        allow: [
          { capability: 'bash', budget_limit: { max_usd: 1, period: 'daily' }, reserve_usd: 0.6 },
        ],
      },
    }
    const answers = tried(plain, budgeted, [bash('ls'), bash('ls')])
    // The first ends without a cost before the second begins.
    expect(answers).toEqual(['allow > allow', 'allow > allow'])
  })

  test('RP-7: a policy takes the place of the answers of its name; others stay', () => {
    const own = compiled(plain)
    const entries = recorded(own, [bash('ls')]).map((entry): Entry => {
      if (entry.cause?.type !== 'tool_requested') return entry
      const denied = { code: 'policy_denied', message: { phrase: 'policy_unmatched' }, path: 'x' }
      const external = [
        { source: 'policy:team', kind: 'allow', reasons: [] },
        { source: 'policy:other', kind: 'deny', reasons: [denied] },
      ]
      return { ...entry, cause: { ...entry.cause, external } } as Entry // as a server records it
    })
    const open = played(own, own, entries, { policy: { allow: [{ capability: 'bash' }] } })
    expect(open).toEqual(['allow > deny'])
    const alone = recorded(own, [bash('ls'), { call: 'Read' }])
    const shut = played(own, own, alone, { policy: { deny: [{ capability: 'bash' }] } })
    expect(shut).toEqual(['allow > deny', 'allow > allow'])
    const sized = played(own, own, alone, {
      policy: { deny: [{ capability: 'read', when: 'size(args) > 0' }] },
    })
    expect(sized).toEqual(['allow > allow', 'allow > undecided args'])
  })
})

test('RP-10: commands are read anew only where that is wanted, and no secret is needed', () => {
  const own = compiled(plain)
  const entries = recorded(own, [bash('curl -H "Authorization: [redacted]" https://example.org')])
  const rules = new RulesOfRuns(own, { program: own, policy: null }, true)
  const run = { id: 'r', role: 'agent', session: 'r', workspace: '/srv/work' }
  const player = new RunPlayer(rules, run, new Recount())
  const kinds = stepsOf(entries).map((step) => player.play(step).kind)
  expect(kinds).toEqual(['same', 'call', 'same'])
})

test('RP-11: a history that cannot be read ends the comparison, and nothing throws', () => {
  const own = compiled(plain)
  const [first, second] = recorded(own, [bash('ls')])
  if (first === undefined || second === undefined) throw new Error('a run has entries')
  const broken = { ...second, cause: { type: 'tool_requested', at: 1, by } } as unknown as Entry
  expect(played(own, own, [first, broken])).toEqual([
    'nothing happens | the recorded event cannot be read',
  ])
  expect(played(own, own, [second])).toEqual(['nothing happens | the run was never begun'])
})
