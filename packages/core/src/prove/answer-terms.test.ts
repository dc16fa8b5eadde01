import { describe, expect, test } from 'vitest'
import { describeFor } from '../decide/describe-call.ts'
import { program as compiled } from '../reduce/play.test-kit.ts'
import type { Claim } from './claim.ts'
import { proverOf } from './prove.ts'

function assumed(definition: string, claim: Claim, strict?: boolean) {
  const program = compiled(definition)
  const found = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
    strict,
  }).prove(claim)
  if (!found.ok || found.value.verdict !== 'proved') throw new Error(JSON.stringify(found))
  return found.value.assumes
}

const always = [
  'one agent, whose calls end before its next move',
  'nobody pauses, forces or stops the run',
]

describe('what a proof takes for granted', () => {
  test('PV-7: the context that a run begins with, which whoever starts it may fill', () => {
    const shut = `
id: shut
initial: a
states:
  a: { allowed_tools: [], on: { GO: { target: b, guard: g } } }
  b: { type: final }
guards: { g: { field: ready, op: eq, value: true } }
`
    expect(assumed(shut, { never: { enter: 'b' } })).toEqual([
      ...always,
      'the run begins with the context of the definition',
    ])
  })

  test('PV-7: that no mark is left of an earlier run of the same session', () => {
    const marked = `
id: marked
initial: a
marks: { m: { on: [Bash] } }
calls: { WebFetch: [{ require: marks.m, message: no }] }
states:
  a: { allowed_tools: [WebFetch], on: { GO: b } }
  b: { allowed_tools: [Bash], on: { END: c } }
  c: { type: final }
`
    const fetch = { tool: 'WebFetch', input: { url: 'https://example.org' } }
    expect(assumed(marked, { never: { call: fetch }, in: ['a'] })).toEqual([
      ...always,
      'no mark is left of an earlier run',
    ])
  })

  test('PV-7: whether runs are strict, where that opens or shuts anything', () => {
    const open = `
id: open
initial: a
states:
  a: { on: { GO: { target: b, guard: g } } }
  b: { type: final }
guards: { g: { evidence: tests } }
evidence: { tests: { tool: Bash, command: npm test } }
`
    const push = { tool: 'Bash', input: { command: 'git push' } }
    expect(assumed(open, { never: { call: push } }, true)).toContain('runs are strict')
    expect(assumed(open, { can_always_reach: [] })).toContain('runs are not strict')
    const listed = open.replace('a: {', 'a: { allowed_tools: [Bash],')
    expect(assumed(listed, { never: { call: push } }, true)).toEqual(always)
    expect(assumed(listed, { can_always_reach: [] })).toEqual([
      ...always,
      'tools can succeed',
      'no policy stands in the way',
    ])
  })
})
