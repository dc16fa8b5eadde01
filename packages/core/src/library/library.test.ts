import { describe, expect, test } from 'vitest'
import { hashText } from '../definition/hash.ts'
import { chainEntries, chainStart } from '../history/chain.ts'
import type { Entry } from '../run/entries.ts'
import { type CompileOptions, compile, type Program, type Source } from './compile.ts'
import type { Event } from './event.ts'
import { replay, verify } from './history.ts'
import { decide, explain, type Step, start, step, view } from './run.ts'

const careful = {
  id: 'careful',
  initial: 'looking',
  policy: {
    default: 'allow',
    ask: [{ capability: 'deploy' }],
    allow: [{ capability: 'search', rate_limit: { max_calls: 1, window_seconds: 60 } }],
  },
  states: {
    looking: { max_iterations: 2, on: { READY: 'done' } },
    done: { type: 'final' },
  },
}

function compiled(source: Source, options: CompileOptions = {}): Program {
  const read = compile(source, options)
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join('\n'))
  return read.value
}

/** Plays events one after the other, and keeps what they gave. */
function play(program: Program, events: readonly Event[]): { last: Step; history: Entry[] } {
  let last = start(program, { at: 1 })
  const history = [...last.entries]
  for (const event of events) {
    last = step(program, last.snapshot, event)
    history.push(...last.entries)
  }
  return { last, history }
}

const deploy = { tool: 'deploy', input: { to: 'staging' } }
const ask: Event = { type: 'tool_requested', call: { id: 'c1', ...deploy }, at: 10 }
const person = { kind: 'person', id: 'ann' } as const

describe('a run of a program', () => {
  const program = compiled(careful)

  test('an ask gets an id of its own, and serves the very call once it is approved', () => {
    const request = play(program, [ask]).last
    if (request.answer.type !== 'decided') throw new Error('a call is always decided')
    const { kind, approvalId = '' } = request.answer.decision
    expect([kind, approvalId]).toEqual(['ask', expect.stringMatching(/^apr_[0-9a-f]{20}$/)])
    expect(play(program, [ask]).last).toEqual(request)

    const resolved = { type: 'approval_resolved', approvalId, at: 20, by: person } as const
    const { snapshot } = step(program, request.snapshot, { ...resolved, verdict: 'approve' })
    expect(decide(program, snapshot, deploy, { at: 30 }).kind).toBe('allow')
    // Without a time no approval counts, nor when its own is over.
    expect(decide(program, snapshot, deploy).kind).toBe('ask')
    expect(decide(program, snapshot, deploy, { at: 3_600_000 }).kind).toBe('ask')
    const other = { tool: 'deploy', input: { to: 'production' } }
    expect(decide(program, snapshot, other, { at: 30 }).kind).toBe('ask')

    const agent = { ...resolved, by: { kind: 'agent', id: 'agent' }, verdict: 'approve' } as const
    expect(step(program, request.snapshot, agent).refusal?.code).toBe('self_approval')
  })

  test('limits count, and a rate that nobody counts denies', () => {
    const call = (id: string): Event[] => [
      { type: 'tool_requested', call: { id, tool: 'Read', input: {} }, at: 2 },
      { type: 'tool_finished', callId: id, exit: 'success', at: 3, costUsd: 0.5 },
    ]
    const { last } = play(program, [...call('c1'), ...call('c2')])
    expect(view(program, last.snapshot)).toMatchObject({ iteration: 2, cost_usd: 1 })
    const third = decide(program, last.snapshot, { tool: 'Read', input: {} })
    expect([third.kind, third.code]).toEqual(['deny', 'iterations_exhausted'])
    const search = decide(program, start(program).snapshot, { tool: 'search', input: {} })
    expect([search.kind, search.code]).toEqual(['deny', 'rate_exceeded'])
    expect(explain(program, { tool: 'search', input: {} }).kind).toBe('allow')
  })

  test('the state that is explained must exist', () => {
    expect(() => explain(program, deploy, { state: 'nowhere' })).toThrow('no state "nowhere"')
  })

  test('every event has its answer', () => {
    const events: [Event, string][] = [
      [{ type: 'paused', at: 2, by: person }, 'paused'],
      [{ type: 'resumed', at: 3, by: person }, 'running'],
      [{ type: 'cost_reported', costUsd: 0.25, at: 4 }, 'running'],
      [{ type: 'branch_bound', branch: 'none', at: 5 }, 'running'],
      [{ type: 'answer_given', answer: 'yes', at: 6 }, 'running'],
      [{ type: 'transition_requested', event: 'READY', at: 7 }, 'completed'],
      [{ type: 'stopped', at: 8 }, 'completed'],
    ]
    const statuses = events.map((_, index) => {
      const { snapshot } = play(
        program,
        events.slice(0, index + 1).map(([event]) => event),
      ).last
      return snapshot.status
    })
    expect(statuses).toEqual(events.map(([, status]) => status))
  })
})

describe('definitions that are invoked', () => {
  const parent = {
    id: 'parent',
    initial: 'start',
    states: {
      start: { on: { GO: { invoke: 'child', on_complete: 'done' } } },
      done: { type: 'final' },
    },
  }
  const child = {
    id: 'child',
    initial: 'work',
    states: { work: { on: { END: 'over' } }, over: { type: 'final' } },
  }

  test('come by their names', () => {
    const program = compiled(parent, { invoked: { child } })
    const go: Event = { type: 'transition_requested', event: 'GO', at: 2 }
    const { last } = play(program, [go])
    expect(view(program, last.snapshot)).toMatchObject({
      state: 'work',
      stack: [{ workflow: 'parent', state: 'start' }],
    })
  })

  test.each([
    [{}, 'No workflow or process is called "child".'],
    [{ child: { ...child, initial: 'nowhere' } }, 'In "child": There is no state "nowhere".'],
  ])('are missed, or faulty, by name', (invoked, message) => {
    const read = compile(parent, { invoked })
    expect(read.ok ? [] : read.error.map((one) => one.message)).toContainEqual(message)
  })
})

describe('a history', () => {
  const program = compiled(careful)
  const { last, history } = play(program, [
    ask,
    { type: 'transition_requested', event: 'READY', at: 20 },
  ])
  const chain = chainEntries({ seq: 0, hash: chainStart('run_1') }, history, hashText)
  const exported = {
    format: 'statewright-run/1',
    run: { run_id: 'run_1' },
    program: { root: { kind: 'workflow', definition: careful }, others: [] },
    entries: chain.map(({ seq, hash, entry }) => ({ seq, hash, entry })),
  }

  test('plays again', () => {
    expect(replay(program, history)).toEqual({ ok: true, value: last.snapshot })
    const problem = { seq: 1, problem: 'the history does not begin with a start' }
    expect(replay(program, history.slice(1))).toEqual({ ok: false, error: problem })
  })

  test('is verified as it was exported, as text or value', () => {
    const { snapshot } = last
    const whole = { ok: true, value: { runId: 'run_1', entries: history.length, snapshot } }
    expect(verify(exported)).toEqual(whole)
    expect(verify(JSON.stringify(exported))).toEqual(whole)
  })

  const forged = { ...exported.entries[1], entry: { ...history[1], at: 99 } }
  const lean = { id: 'careful', initial: 'done', states: { done: { type: 'final' } } }
  test.each([
    ['text that is no JSON', 'no', 'this is not JSON'],
    ['something else', {}, 'this is not an exported run: format is missing or wrong'],
    ['another run', { ...exported, run: { run_id: 'run_2' } }, 'entry 1 does not match its hash'],
    ['a gap', { ...exported, entries: exported.entries.slice(1) }, 'entry 1 is missing'],
    ['no entries', { ...exported, entries: [] }, 'the history does not begin with a start'],
    [
      'an entry that was changed',
      { ...exported, entries: [exported.entries[0], forged, ...exported.entries.slice(2)] },
      'entry 2 does not match its hash',
    ],
    [
      'another definition',
      { ...exported, program: { root: { kind: 'workflow', definition: lean }, others: [] } },
      'the history belongs to another definition',
    ],
    [
      'a definition that cannot be read',
      { ...exported, program: { root: { kind: 'workflow', definition: {} }, others: [] } },
      'its definition does not compile',
    ],
  ])('%s is no run', (_, given, problem) => {
    expect(verify(given)).toEqual({ ok: false, error: { seq: expect.any(Number), problem } })
  })
})
