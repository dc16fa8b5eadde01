import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { play, rows, system } from './play.test-kit.ts'

const workflow = `
id: w
initial: start
context: {score: 0, nested: {deep: {x: 1}}}
guards:
  high: {field: score, op: gte, value: 80}
  low: {field: score, op: lt, value: 50}
  named: {field: name, op: exists}
states:
  start:
    on:
      GO: middle
      HIGH: {target: good, guard: high}
      BOTH: {target: good, guard: high, guards: [named]}
      PICK: [{target: good, guard: high}, {target: bad, guard: low}]
      PICK_ANY: [{target: good, guard: high}, {target: middle}]
  middle:
    safe_next: good
    on: {BACK: start, HIGH: {target: good, guard: high}, SELF: middle}
  good: {type: final}
  bad: {type: final, outcome: failure}
`

describe('events', () => {
  const table = rows<'rule' | 'event' | 'answer'>(`
    rule   event                   answer
    WF-16  GO                      ok
    WF-16  go                      unknown_event
    WF-16  GO_                     unknown_event
    WF-16  constructor             unknown_event
    WF-16  __proto__               unknown_event
    WF-16  toString                unknown_event
    WF-18  HIGH                    guard_failed
    WF-19  PICK_ANY                ok
    WF-29  $return                 unknown_event
    WF-24  BRANCH_DONE             unknown_branch
    WF-24  BRANCH_DONE:a           unknown_branch
    WF-24  BRANCH_FAIL:__proto__   unknown_branch
  `)
  test.each(table)('$rule: at the start, $event is $answer', ({ event, answer }) => {
    expect(play(workflow).send(event)).toBe(answer)
  })

  test('WF-16: a refusal names the nearest events and changes nothing', () => {
    const run = play(workflow)
    const before = run.run
    expect(run.send('HIHG', { a: 1 })).toBe('unknown_event')
    expect(run.run).toBe(before)
    expect(run.last.refusal).toEqual({
      code: 'unknown_event',
      message:
        'start has no event "HIHG". Events: GO, HIGH, BOTH, PICK, PICK_ANY. Did you mean HIGH?',
      events: [
        { event: 'GO', target: 'middle' },
        { event: 'HIGH', target: 'good' },
        { event: 'BOTH', target: 'good' },
        { event: 'PICK', target: 'good' },
        { event: 'PICK', target: 'bad' },
        { event: 'PICK_ANY', target: 'good' },
        { event: 'PICK_ANY', target: 'middle' },
      ],
    })
    expect(run.left).toEqual(['refused'])
  })

  test('WF-16: safe_next catches only events that the state does not define', () => {
    const run = play(workflow)
    run.send('GO')
    expect(run.send('HIGH')).toBe('guard_failed')
    expect(run.state).toBe('middle')
    expect(run.send('WHATEVER', { said: 1 })).toBe('ok')
    expect(run.state).toBe('good')
    expect(run.context.said).toBe(1)
    expect(run.last.entries[0]).toMatchObject({ type: 'transitioned', safe_next: true })
  })
})

describe('data and context', () => {
  test('WF-17: a guard reads the context from before the transition', () => {
    const run = play(workflow)
    expect(run.send('HIGH', { score: 99 })).toBe('guard_failed')
    expect(run.context.score).toBe(0)
    expect(run.send('GO', { score: 99 })).toBe('ok')
    expect(run.send('HIGH')).toBe('ok')
  })

  test('WF-17: data merges shallowly, guarded or not', () => {
    const run = play(workflow)
    run.send('GO', { nested: { y: 2 }, score: 90 })
    expect(run.context).toEqual({ score: 90, nested: { y: 2 } })
    run.send('HIGH', { score: 1 })
    expect(run.context).toEqual({ score: 1, nested: { y: 2 } })
  })

  test('WF-17: a refused transition merges nothing, an unknown event neither', () => {
    const run = play(workflow)
    run.send('HIGH', { score: 90 })
    run.send('NOPE', { score: 90 })
    expect(run.context.score).toBe(0)
    expect(run.send('HIGH')).toBe('guard_failed')
  })

  const keys = rows<'rule' | 'key'>(`
    rule   key
    WF-17  _status
    WF-17  $return
    WF-17  __proto__
    WF-17  constructor
    WF-17  prototype
  `)
  test.each(keys)('$rule: the key $key in data is refused', ({ key }) => {
    const run = play(workflow)
    const data = JSON.parse(`{"score": 99, "${key}": {"score": 99}}`)
    expect(run.send('GO', data)).toBe('reserved_key')
    expect(run.send('WHATEVER', data)).toBe('reserved_key')
    expect(run.context).toEqual({ score: 0, nested: { deep: { x: 1 } } })
  })

  test('WF-17: a prototype hidden deeper is a plain key that no guard follows', () => {
    const run = play(workflow)
    expect(run.send('GO', JSON.parse('{"a": {"__proto__": {"score": 99}}}'))).toBe('ok')
    expect(JSON.stringify(run.context.a)).toBe('{"__proto__":{"score":99}}')
    // What every object inherits must be as it was.
    expect(({} as { score?: number }).score).toBeUndefined()
  })

  test('WF-17: data and context have their limits', () => {
    const run = play(workflow)
    const large = 'x'.repeat(limits.eventDataBytes)
    expect(run.send('GO', { large })).toBe('context_too_large')
    let deep = {}
    for (let level = 0; level < 50; level++) deep = { deep }
    expect(run.send('GO', deep)).toBe('context_too_large')
    const half = 'x'.repeat(limits.eventDataBytes / 2)
    let answer = ''
    for (let key = 0; key < 12 && answer !== 'context_too_large'; key++) {
      answer = run.send(run.state === 'start' ? 'GO' : 'SELF', { [`k${key}`]: half })
    }
    expect(answer).toBe('context_too_large')
    expect(run.send('SELF')).toBe('ok')
  })

  test('WF-17: a context given at the start follows the same rules', () => {
    expect(play(workflow, { context: { score: 90 } }).send('HIGH')).toBe('ok')
    const run = play(workflow, { context: { _x: 1 } })
    expect(run.last.refusal?.code).toBe('reserved_key')
  })
})

describe('guards and candidates', () => {
  test('WF-2: guard and guards together must all pass', () => {
    expect(play(workflow, { context: { score: 90 } }).send('BOTH')).toBe('guard_failed')
    expect(play(workflow, { context: { name: 'n' } }).send('BOTH')).toBe('guard_failed')
    expect(play(workflow, { context: { score: 90, name: 'n' } }).send('BOTH')).toBe('ok')
  })

  const table = rows<'rule' | 'score' | 'event' | 'state'>(`
    rule   score  event     state
    WF-19  90     PICK      good
    WF-19  10     PICK      bad
    WF-19  60     PICK      start
    WF-19  90     PICK_ANY  good
    WF-19  60     PICK_ANY  middle
  `)
  test.each(table)('$rule: with score $score, $event leads to $state', (row) => {
    const run = play(workflow, { context: { score: Number(row.score) } })
    run.send(row.event)
    expect(run.state).toBe(row.state)
  })

  test('WF-19: when none passes, each failing guard is told with the value it saw', () => {
    const run = play(workflow, { context: { score: 60 } })
    expect(run.send('PICK')).toBe('no_candidate')
    expect(run.last.refusal?.guards).toEqual([
      { guard: 'high', path: 'guards.high', passed: false, saw: 60, wants: 'score gte 80' },
      { guard: 'low', path: 'guards.low', passed: false, saw: 60, wants: 'score lt 50' },
    ])
    expect(run.last.refusal?.message).toBe(
      'No target is possible yet: high needs score gte 80, but it is 60; ' +
        'low needs score lt 50, but it is 60.',
    )
  })

  test('WF-20: a guard that is not defined never passes', () => {
    const run = play({
      id: 'w',
      initial: 'a',
      states: { a: { on: { GO: { target: 'z', guard: 'ghost' } } }, z: { type: 'final' } },
    })
    expect(run.send('GO')).toBe('guard_failed')
    expect(run.last.refusal?.message).toContain('a guard called "ghost"')
  })
})

describe('the record', () => {
  test('WF-21: from, to, event, data, rationale, who, when and the guards read', () => {
    const run = play(workflow, { context: { score: 90 } })
    run.at(5000).send('HIGH', { rationale: 'line 42', ticket: 7 })
    const { cause, ...entry } = run.last.entries[0] ?? {}
    expect(entry).toEqual({
      type: 'transitioned',
      at: 5000,
      from: 'start',
      to: 'good',
      event: 'HIGH',
      by: 'main',
      data: { rationale: 'line 42', ticket: 7 },
      rationale: 'line 42',
      guards: [
        {
          guard: 'high',
          path: 'guards.high',
          passed: true,
          saw: 90,
          wants: { phrase: 'want_compared', values: { field: 'score', op: 'gte', value: 80 } },
        },
      ],
    })
    expect(cause).toMatchObject({ type: 'transition_requested', at: 5000 })
  })

  test('WF-21a: refusals, denials and tool calls move no count', () => {
    const run = play(workflow)
    run.send('NOPE')
    run.send('HIGH')
    run.tool('Read')
    expect(run.run.transitionCount).toBe(0)
    run.send('GO')
    run.send('SELF')
    run.send('UNKNOWN')
    expect(run.run.transitionCount).toBe(3)
  })

  test('WF-33: an ended run takes no more events', () => {
    const run = play(workflow)
    run.send('GO')
    run.send('UNKNOWN')
    expect(run.status).toBe('completed')
    expect(run.send('GO')).toBe('run_not_active')
    expect(run.answer('yes')).toBe('run_not_active')
    expect(run.pause()).toBe('run_not_active')
    expect(run.resume()).toBe('run_not_paused')
    expect(run.stop()).toBe('run_not_active')
    expect(run.bind('a', system)).toBe('run_not_active')
  })
})
