import { describe, expect, test } from 'vitest'
import { describeFor } from '../decide/describe-call.ts'
import { program as compiled, type DefinitionSource } from '../reduce/play.test-kit.ts'
import type { Claim } from './claim.ts'
import { proverOf } from './prove.ts'
import type { SampleCall } from './sample-call.ts'

function answer(definition: DefinitionSource, claim: Claim, calls: readonly SampleCall[] = []) {
  const program = compiled(definition)
  const found = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
    calls,
  }).prove(claim)
  if (!found.ok) throw new Error(found.error)
  return found.value
}

const shop = (more = '') => `
id: shop
initial: helping
facts:
  order:
    from: mcp__shop__get_order
    key: args.id
    value: "{'total': result.total}"
    forget_on: [mcp__shop__refund]
    ${more}
calls:
  mcp__shop__refund:
    - { require: 'args.amount > 0 && args.amount <= facts.order[args.id].total', message: no }
states:
  helping:
    allowed_tools: [mcp__shop__get_order, mcp__shop__refund]
    on: { NEXT: { target: closing, guard: seen }, STOP: done }
  closing: { allowed_tools: [], on: { CLOSE: done } }
  done: { type: final }
guards: { seen: { when: has(facts.order) } }
`
const refund = (amount: number) => ({
  call: { tool: 'mcp__shop__refund', input: { id: 'A1', amount } },
})
const order: SampleCall = {
  tool: 'mcp__shop__get_order',
  input: { id: 'A1' },
  result: { structured: { total: 20 } },
}

describe('a condition', () => {
  test('PV-11: that something known decides is read as it is', () => {
    // Nobody has read the order, or the amount is wrong whatever the order says.
    const claims: Claim[] = [
      { never: refund(20), unless: { fact: 'order' } },
      { never: refund(-5) },
      { never: { enter: 'closing' }, unless: { fact: 'order' } },
    ]
    expect(claims.map((claim) => answer(shop(), claim).verdict)).toEqual([
      ...['proved', 'proved', 'proved'],
    ])
  })

  test('PV-11: that nothing known decides is free, and what needs it is printed', () => {
    expect(answer(shop(), { never: refund(20) })).toMatchObject({
      verdict: 'refuted_if',
      conditions: [
        'facts.order is known',
        'args.amount > 0 && args.amount <= facts.order[args.id].total',
      ],
      counterexample: {
        steps: [{ tool: 'mcp__shop__get_order' }, { tool: 'mcp__shop__refund', state: 'helping' }],
      },
    })
  })

  test('PV-11: where it really comes out so, on calls that were named, it is refuted', () => {
    expect(answer(shop(), { never: refund(20) }, [order])).toMatchObject({
      verdict: 'refuted',
      counterexample: {
        steps: [
          { tool: 'mcp__shop__get_order', input: { id: 'A1' }, result: { total: 20 } },
          { ...refund(20).call, state: 'helping' },
        ],
      },
    })
    // No order was named that costs as much.
    expect(answer(shop(), { never: refund(21) }, [order]).verdict).toBe('refuted_if')
  })

  test('PV-6, PV-11: the way to a call is about what the call is about', () => {
    const other = { tool: 'mcp__shop__refund', input: { id: 'B2', amount: 20 } }
    // Reading A1 says nothing of B2; the shop may answer for B2 what it answered for A1.
    expect(answer(shop(), { never: { call: other } }, [order])).toMatchObject({
      verdict: 'refuted',
      counterexample: {
        steps: [
          { tool: 'mcp__shop__get_order', input: { id: 'B2' }, result: { total: 20 } },
          { ...other, state: 'helping' },
        ],
      },
    })
    const dear = { tool: 'mcp__shop__refund', input: { id: 'B2', amount: 500 } }
    expect(answer(shop(), { never: { call: dear } }, [order])).toMatchObject({
      verdict: 'refuted_if',
      counterexample: {
        moves: [{ input: { id: 'B2' } }, {}],
        steps: [{ tool: 'mcp__shop__get_order', input: { id: 'B2' } }, { ...dear }],
      },
    })
  })

  test('PV-5, PV-11: a fact may be withdrawn, forgotten, and expire', () => {
    const later: Claim = { never: { enter: 'done' }, unless: { fact: 'order' }, in: ['closing'] }
    expect(answer(shop(), later).verdict).toBe('proved')
    expect(answer(shop('expires: 10m'), later, [order])).toMatchObject({
      verdict: 'refuted',
      counterexample: {
        steps: [{ tool: 'mcp__shop__get_order' }, { send: 'NEXT' }, { after: '10m' }, {}],
      },
    })
    // A second look that shows something else, and a refund, end what was known.
    const staying = shop().replace('allowed_tools: []', 'allowed_tools: [mcp__shop__get_order]')
    expect(answer(staying, later)).toMatchObject({
      verdict: 'refuted_if',
      conditions: ['facts.order is known', 'has(facts.order)', 'not (facts.order is known)'],
    })
  })

  test('PV-4, PV-5: after the end calls still do what they do', () => {
    const claim: Claim = { never: refund(20), unless: { fact: 'order' }, in: ['done'] }
    const closing = shop().replace('STOP: done', 'STOP: { target: done, guard: seen }')
    const open = closing.replace(/calls:\n.*\n.*/, '')
    // The refund itself makes the order be forgotten: a second one is made without knowing it.
    expect(answer(open, claim, [order])).toMatchObject({
      verdict: 'refuted',
      counterexample: {
        steps: [
          { tool: 'mcp__shop__get_order' },
          { send: 'STOP' },
          { tool: 'mcp__shop__refund' },
          { tool: 'mcp__shop__refund' },
        ],
      },
    })
  })

  test('PV-11: one that reads nothing free is never taken for free', () => {
    const guarded = (when: string) => `
id: guarded
initial: a
states:
  a: { on: { GO: { target: b, guard: g } } }
  b: { type: final }
guards: { g: { when: "${when}" } }
`
    const claim: Claim = { never: { enter: 'b' } }
    expect(answer(guarded('1 > 2'), claim).verdict).toBe('proved')
    expect(answer(guarded("state == 'b'"), claim).verdict).toBe('proved')
    expect(answer(guarded("state == 'a'"), claim).verdict).toBe('refuted')
    expect(answer(guarded("task == 'hurry'"), claim)).toMatchObject({
      verdict: 'refuted_if',
      conditions: ["task == 'hurry'"],
    })
    expect(answer(guarded('context.x == 1'), claim).verdict).toBe('refuted_if')
    expect(answer(guarded('context.x == 1 && context.x == 2'), claim).verdict).toBe('refuted_if')
  })

  test('PV-8, PV-11: more of them in one move than are tried leave a claim undecided', () => {
    const rules = Array.from({ length: 7 }, (_, index) => ({
      require: `facts.f.n${index}`,
      message: 'no',
    }))
    const many: DefinitionSource = {
      id: 'many',
      initial: 'a',
      facts: { f: { from: 'Read', value: 'result' } },
      calls: { Bash: rules },
      states: { a: { on: { GO: 'b' } }, b: { type: 'final' } },
    }
    const claim: Claim = { never: { call: { tool: 'Bash', input: { command: 'ls' } } } }
    expect(answer(many, claim)).toMatchObject({
      verdict: 'not_decided',
      why: 'The conditions of a move come out in more than 64 ways.',
    })
    const { calls: _, ...rest } = many as Record<string, unknown>
    const few = { ...rest, calls: { Bash: rules.slice(0, 3) } } as DefinitionSource
    expect(answer(few, claim).verdict).toBe('refuted_if')
  })
})

const marked = (on: string, when = '') => `
id: marked
initial: a
marks: { seen: { on: [${on}]${when} } }
calls: { WebFetch: [{ require: '!marks.seen', message: no }] }
states:
  a: { allowed_tools: [Read, Edit, Bash, WebFetch, mcp__mail__read], on: { GO: b } }
  b: { allowed_tools: [WebFetch], on: { END: done } }
  done: { type: final }
guards: {}
`
const fetch = { call: { tool: 'WebFetch', input: { url: 'https://example.org' } } }

describe('a mark', () => {
  const reach: Claim = { never: fetch, in: ['b'] }

  test.each(['Read', 'Edit', 'Bash', 'mcp__*', 'Bash(git log)'])(
    'PV-5, PV-11: is set by a call of %s that is let through, and stays',
    (on) => {
      // Whether it is set is seen at what a guard makes of it.
      const guarded = marked(on).replace('on: { GO: b }', 'on: { GO: { target: b, guard: g } }')
      const opened = guarded.replace('guards: {}', 'guards: { g: { when: marks.seen } }')
      expect(answer(opened, { never: { enter: 'b' } }).verdict).toBe('refuted')
      expect(answer(opened, reach).verdict).toBe('proved')
      expect(answer(marked(on), reach).verdict).toBe('refuted')
    },
  )

  test('PV-11: whose condition reads the call may come out either way for some call', () => {
    const conditional = marked('Read', `, when: "has(args.limit) && args.limit > 5"`)
      .replace('on: { GO: b }', 'on: { GO: { target: b, guard: g } }')
      .replace('guards: {}', 'guards: { g: { when: marks.seen } }')
    expect(answer(conditional, { never: { enter: 'b' } })).toMatchObject({
      verdict: 'refuted_if',
      conditions: ['has(args.limit) && args.limit > 5'],
    })
    const long: SampleCall = { tool: 'Read', input: { file_path: 'a', limit: 6 } }
    expect(answer(conditional, { never: { enter: 'b' } }, [long]).verdict).toBe('refuted')
    expect(answer(conditional, { never: fetch, in: ['b'] }).verdict).toBe('proved')
  })
})

describe('what can always be reached', () => {
  const gate = (more: string) => `
id: gate
initial: a
facts: { r: { from: Read, value: result.ok } }
states:
  a: { allowed_tools: [Read], max_iterations: 2, on: { GO: { target: done, guard: g }${more} } }
  done: { type: final }
guards: { g: { when: facts.r } }
`

  test('PV-7, PV-11: is proved only if conditions can come out so, which is printed', () => {
    expect(answer(gate(', AGAIN: a'), { can_always_reach: [] })).toMatchObject({
      verdict: 'proved',
      assumes: expect.arrayContaining(['conditions can come out either way']),
    })
    const plain = answer(gate(', STOP: done'), { can_always_reach: [] })
    expect(plain.verdict).toBe('proved')
    expect(JSON.stringify(plain)).not.toContain('conditions')
  })

  test('PV-11: where no answer helps any more it is refuted', () => {
    expect(answer(gate(''), { can_always_reach: [] })).toMatchObject({
      verdict: 'refuted',
      counterexample: { steps: [{ tool: 'Read' }, { tool: 'Read' }] },
    })
  })
})
