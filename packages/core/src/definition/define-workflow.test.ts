import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  defineWorkflow,
  type EventName,
  type GuardName,
  type StateName,
} from './define-workflow.ts'
import { parseWorkflow } from './parse/parse-workflow.ts'

describe('defineWorkflow', () => {
  const review = defineWorkflow({
    id: 'review',
    initial: 'reading',
    context: { verdict: null },
    guards: { decided: { field: 'verdict', op: 'exists' }, proved: { evidence: 'tests' } },
    evidence: { tests: { tool: 'Bash', command: 'npm test' } },
    interrupts: { hooks: { trigger: { file_pattern: 'hooks/**' }, target: 'checking' } },
    states: {
      reading: { allowed_tools: ['Read'], safe_next: 'reading', on: { DONE: 'deciding' } },
      deciding: {
        on: {
          ACCEPT: [{ target: 'accepted', guards: ['decided', 'proved'] }, { target: 'reading' }],
          DELEGATE: { invoke: 'other', on_complete: 'accepted', on_fail: 'reading' },
          SPLIT: {
            fork: {
              branches: { one: { initial: 'reading', terminal: 'accepted' } },
              on_complete: 'accepted',
            },
          },
        },
      },
      checking: { on: { FINE: '$return', AGAIN: { target: 'checking', guard: 'decided' } } },
      accepted: { type: 'final' },
    },
  })

  test('WF-1: gives back the definition, which parses like any other', () => {
    const parsed = parseWorkflow(review)
    expect(parsed.findings).toEqual([])
    expect(parsed.definition).toEqual(review)
  })

  test('WF-1: types the names of states, events and guards', () => {
    expectTypeOf<StateName<typeof review>>().toEqualTypeOf<
      'reading' | 'deciding' | 'checking' | 'accepted'
    >()
    expectTypeOf<EventName<typeof review>>().toEqualTypeOf<
      'DONE' | 'ACCEPT' | 'DELEGATE' | 'SPLIT' | 'FINE' | 'AGAIN'
    >()
    expectTypeOf<GuardName<typeof review>>().toEqualTypeOf<'decided' | 'proved'>()
  })

  test('WF-1: takes facts, marks and conditions, whose expressions are plain texts', () => {
    const message = 'Read the balance first.'
    const bank = defineWorkflow({
      id: 'bank',
      initial: 'working',
      facts: {
        balance: { from: 'read_balance', value: 'result.amount', forget_on: ['transfer'] },
        people: { from: ['list_people'], each: 'result', key: 'item.name', expires: '10m' },
      },
      marks: { sent: { on: 'transfer', when: 'args.amount > 0' } },
      calls: { transfer: [{ require: 'args.amount <= facts.balance', message }] },
      guards: { sent: { when: 'marks.sent' }, known: { when: 'size(task) > 0' } },
      interrupts: {
        large: { trigger: { tool: 'transfer', when: 'args.amount > 1000' }, target: 'working' },
      },
      policy: {
        marks: { mailed: { on: 'send_mail' } },
        deny: [{ capability: 'edit', when: 'marks.mailed' }],
      },
      states: {
        working: {
          calls: { send_mail: [{ require: 'args.to in facts.people', message }] },
          on: { DONE: { target: 'done', guards: ['sent', 'known'] } },
        },
        done: { type: 'final' },
      },
    })
    const parsed = parseWorkflow(bank)
    expect(parsed.findings).toEqual([])
    expect(parsed.definition).toEqual(bank)
    expectTypeOf<GuardName<typeof bank>>().toEqualTypeOf<'sent' | 'known'>()
    const states = { done: { type: 'final' } } as const
    const make = { id: 'x', initial: 'done', states } as const
    // @ts-expect-error: a fact comes from somewhere
    defineWorkflow({ ...make, facts: { balance: { value: 'result' } } })
    // @ts-expect-error: a rule is a list of conditions
    defineWorkflow({ ...make, calls: { transfer: { require: 'true' } } })
    // @ts-expect-error: no such field
    defineWorkflow({ ...make, guards: { sent: { whn: 'marks.sent' } } })
  })

  test('WF-1: a name that does not exist does not compile', () => {
    const end = { type: 'final' } as const
    const guards = { ready: { field: 'a', op: 'exists' } } as const
    // @ts-expect-error: no such initial state
    defineWorkflow({ id: 'x', initial: 'b', states: { a: end } })
    // @ts-expect-error: no such target
    defineWorkflow({ id: 'x', initial: 'a', states: { a: { on: { GO: 'b' } }, c: end } })
    // @ts-expect-error: no such safe_next
    defineWorkflow({ id: 'x', initial: 'a', states: { a: { safe_next: 'b' }, c: end } })
    defineWorkflow({
      id: 'x',
      initial: 'a',
      guards,
      // @ts-expect-error: no such guard
      states: { a: { on: { GO: { target: 'c', guard: 'redy' } } }, c: end },
    })
    // @ts-expect-error: no such evidence
    defineWorkflow({ id: 'x', initial: 'a', guards: { g: { evidence: 'e' } }, states: { a: end } })
    // @ts-expect-error: no such field
    defineWorkflow({ id: 'x', initial: 'a', states: { a: { allowed_tolls: [], type: 'final' } } })
    expect(guards.ready.op).toBe('exists')
  })
})
