import { describe, expect, test } from 'vitest'
import { describeFor } from '../decide/describe-call.ts'
import { program as compiled, type DefinitionSource } from '../reduce/play.test-kit.ts'
import type { Bounds } from './bounds.ts'
import type { Claim } from './claim.ts'
import { proverOf } from './prove.ts'

interface Options {
  readonly invokes?: readonly DefinitionSource[]
  readonly bounds?: Bounds
}

function prover(
  definition: DefinitionSource,
  claims: readonly Claim[] = [],
  options: Options = {},
) {
  const program = compiled(definition, options.invokes)
  const { bounds } = options
  return proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims,
    ...(bounds === undefined ? {} : { bounds }),
  })
}

function answer(definition: DefinitionSource, claim: Claim, options: Options = {}) {
  const found = prover(definition, [claim], options).prove(claim)
  return found.ok ? found.value : { verdict: found.error }
}

const edit = { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } }
const migrate = { tool: 'Edit', input: { ...edit.input, file_path: 'migrations/1.sql' } }
const push = { tool: 'Bash', input: { command: 'git push' } }
const runTests = { tool: 'Bash', input: { command: 'npm test' } }

const deploy = `
id: deploy
initial: planning
context: { version: null }
meta: { approval_mode: ui }
states:
  planning:
    allowed_tools: [Read]
    on: { PLANNED: working }
  working:
    allowed_tools: [Read, Edit, Bash]
    allowed_commands: [npm test]
    on:
      SHIP: { target: deploying, guards: [tested, named], requires_approval: true }
      BACK: planning
  migrating:
    allowed_tools: [Read, Bash]
    allowed_commands: [npm test]
    on: { CHECKED: $return }
  deploying:
    allowed_tools: [Bash]
    allowed_commands: [git push]
    on: { DONE: done }
  done: { type: final }
guards:
  tested: { evidence: tests }
  named: { field: version, op: exists }
evidence:
  tests: { tool: Bash, command: npm test, stale_after: ['src/**'] }
interrupts:
  migration: { trigger: { file_pattern: 'migrations/**' }, target: migrating }
`

const table: [verdict: string, claim: Claim][] = [
  ['proved', { never: { enter: 'deploying' }, unless: { evidence: 'tests' } }],
  ['proved', { never: { enter: 'deploying' }, unless: { approval: true } }],
  ['proved', { never: { enter: 'deploying' }, unless: { approval: 'SHIP' } }],
  ['proved', { never: { enter: 'done' }, unless: [{ visited: 'working' }, { approval: 'SHIP' }] }],
  ['refuted', { never: { enter: 'done' }, unless: { approval: true } }],
  ['refuted', { never: { enter: 'deploying' } }],
  ['refuted', { never: { enter: 'planning' } }],
  ['refuted', { never: { enter: 'planning' }, unless: { visited: 'working' } }],
  ['proved', { never: { enter: 'planning' }, in: ['planning', 'migrating'] }],
  ['refuted', { never: { enter: 'working' }, from: { interrupt: 'migration' } }],
  ['proved', { never: { call: push }, in: ['planning', 'working', 'migrating'] }],
  ['refuted', { never: { call: push } }],
  ['proved', { never: { call: edit }, in: ['planning'] }],
  ['proved', { never: { call: edit }, from: { interrupt: 'migration' }, to: { event: 'CHECKED' } }],
  ['refuted', { never: { call: edit }, from: { interrupt: 'migration' } }],
  // The call that fires the detour was made before it.
  ['refuted', { never: { call: migrate }, to: { interrupt: 'migration' } }],
  ['refuted', { never: { call: migrate }, unless: { visited: 'migrating' } }],
  ['proved', { never: { call: edit }, to: { event: 'PLANNED' } }],
  ['proved', { never: { call: edit }, from: { enter: 'deploying' } }],
  ['refuted', { never: { call: runTests }, unless: { visited: 'migrating' } }],
  ['proved', { can_always_reach: ['done'] }],
  ['proved', { can_always_reach: [] }],
  ['refuted', { can_always_reach: ['planning'] }],
]

describe('a claim', () => {
  test.each(table)('PV-1, PV-4: is %s: %j', (verdict, claim) => {
    expect(answer(deploy, claim).verdict).toBe(verdict)
  })

  test.each([
    [{ never: { enter: 'deploing' } }, 'There is no state "deploing". Did you mean "deploying"?'],
    [{ never: { enter: 'done' }, unless: { evidence: 'test' } }, 'Did you mean "tests"?'],
    [{ never: { enter: 'done' }, unless: { fact: 'x' } }, 'There is no fact "x".'],
    [{ never: { enter: 'done' }, from: { event: 'SHP' } }, 'Did you mean "SHIP"?'],
    [{ never: { enter: 'done' }, to: { interrupt: 'migrations' } }, 'Did you mean "migration"?'],
    [{ can_always_reach: ['end'] }, 'There is no state "end".'],
  ] satisfies [Claim, string][])('PV-1: that names nothing is a mistake: %j', (claim, message) => {
    expect(answer(deploy, claim).verdict).toContain(message)
  })

  test('PV-6, PV-7: the answer has the shortest way, or what it assumes', () => {
    expect(answer(deploy, { never: { enter: 'deploying' } })).toMatchObject({
      verdict: 'refuted',
      counterexample: {
        steps: [
          { send: 'PLANNED', data: { version: 'x' } },
          { tool: 'Bash', input: { command: 'npm test' } },
          { send: 'SHIP', expect: 'waits' },
          { approve: 'yes', state: 'deploying' },
        ],
      },
    })
    const proved = answer(deploy, { can_always_reach: ['done'] })
    expect(proved).toMatchObject({
      assumes: [
        'one agent, whose calls end before its next move',
        'nobody pauses, forces or stops the run',
        'the run begins with the context of the definition',
        'tools can succeed',
        'no policy stands in the way',
        'people can approve',
      ],
    })
  })

  test('PV-8: past a bound nothing is proved, and what was found stays', () => {
    const bounds = { situations: 5, moves: 10_000 }
    const claim: Claim = { never: { enter: 'done' }, unless: { visited: 'deploying' } }
    expect(answer(deploy, claim, { bounds })).toMatchObject({
      verdict: 'not_decided',
      why: 'There are more than 5 situations.',
    })
    expect(answer(deploy, claim, { bounds: { situations: 1000, moves: 20 } })).toMatchObject({
      verdict: 'not_decided',
      why: 'There are more than 20 moves to try.',
    })
    expect(answer(deploy, { never: { enter: 'working' } }, { bounds }).verdict).toBe('refuted')
  })
})

/** Tests may be run twice in a visit; `more` is what else leads out of it. */
const limited = (more: string, limit = 'max_iterations: 2') => `
id: limited
initial: begin
states:
  begin: { on: { GO: testing }, allowed_tools: [] }
  testing:
    allowed_tools: [Bash]
    allowed_commands: [npm test]
    ${limit}
    on: { DONE: { target: done, guard: tested }${more} }
  done: { type: final }
guards: { tested: { evidence: tests } }
evidence: { tests: { tool: Bash, command: npm test } }
`

describe('a limit', () => {
  test('PV-3: that is used up is a trap, where nothing begins the visit anew', () => {
    const trap = answer(limited(''), { can_always_reach: [] })
    expect(trap).toMatchObject({ verdict: 'refuted' })
    const steps =
      trap.verdict === 'refuted' && 'counterexample' in trap && trap.counterexample?.steps
    expect(steps).toHaveLength(3)
    expect(answer(limited(', BACK: begin'), { can_always_reach: [] }).verdict).toBe('proved')
    expect(answer(limited(', AGAIN: testing'), { can_always_reach: [] }).verdict).toBe('proved')
    expect(answer(limited('', 'max_iterations: 1'), { can_always_reach: [] }).verdict).toBe(
      'refuted',
    )
    expect(answer(limited('', ''), { can_always_reach: [] }).verdict).toBe('proved')
    const bytes = limited('', 'context_budget_bytes: 1000')
    expect(answer(bytes, { can_always_reach: [] }).verdict).toBe('refuted')
  })

  test('PV-3: who comes back with more left is not taken for who has used it up', () => {
    const written = `
id: loop
initial: a
states:
  a:
    allowed_tools: [Bash]
    allowed_commands: [npm test, npm run check]
    max_iterations: 1
    on: { NEXT: { target: b, guard: tested } }
  b: { allowed_tools: [], on: { BACK: a } }
guards: { tested: { evidence: tests } }
evidence: { tests: { tool: Bash, command: npm test } }
`
    const check = { tool: 'Bash', input: { command: 'npm run check' } }
    const claim: Claim = { never: { call: check }, unless: { visited: 'b' }, from: { enter: 'b' } }
    // After `b` the one call of `a` is there again.
    expect(answer(written, { ...claim, unless: { evidence: 'tests' } }).verdict).toBe('proved')
    expect(answer(written, { never: { call: check }, from: { enter: 'b' } }).verdict).toBe(
      'refuted',
    )
  })

  test('PV-4, PV-5: files still change after the end', () => {
    const ended = `
id: ended
initial: a
states:
  a: { allowed_tools: [Bash], on: { GO: { target: b, guard: tested } } }
  b: { type: final }
guards: { tested: { evidence: tests } }
evidence: { tests: { tool: Bash, command: npm test, stale_after: ['src/**'] } }
`
    const claim: Claim = { never: { call: push }, unless: { evidence: 'tests' }, in: ['b'] }
    expect(answer(ended, claim).verdict).toBe('refuted')
  })

  test('PV-5: an event that `safe_next` catches counts as that event', () => {
    const caught = `
id: caught
initial: a
states:
  a: { safe_next: b, on: { SKIP: b } }
  b: { on: { GO: c, BACK: a } }
  c: { type: final }
`
    expect(answer(caught, { never: { enter: 'c' }, from: { event: 'SKIP' } }).verdict).toBe(
      'refuted',
    )
    const go: Claim = { never: { enter: 'b' }, from: { event: 'GO' } }
    expect(answer(caught, go)).toMatchObject({
      counterexample: { steps: [{ send: 'GO' }, { send: 'BACK' }, {}] },
    })
  })

  test('PV-5: an approval, a rejection and a detour are moves', () => {
    expect(answer(deploy, { never: { enter: 'migrating' } })).toMatchObject({ verdict: 'refuted' })
    const again: Claim = { never: { enter: 'planning' }, from: { enter: 'migrating' } }
    expect(answer(deploy, again).verdict).toBe('refuted')
  })

  test('PV-5, PV-7: a rejected call closes nothing, since it can be asked about anew', () => {
    const asking = `
id: asking
initial: a
states:
  a: { allowed_tools: [Edit, Bash], on: { GO: { target: end, guard: edited } } }
  end: { type: final }
guards: { edited: { when: marks.edited } }
marks: { edited: { on: Edit } }
policy: { ask: [{ capability: edit }], default: allow }
`
    const assumes = expect.arrayContaining([
      'a rejected call can be asked about again with other arguments',
    ])
    expect(answer(asking, { can_always_reach: ['end'] })).toMatchObject({
      ...{ verdict: 'proved', assumes },
    })
  })
})

describe('what nobody has to claim', () => {
  const standing = (definition: DefinitionSource, invokes: readonly DefinitionSource[] = []) =>
    Object.fromEntries(
      prover(definition, [], { invokes })
        .standing()
        .map(({ claim, answer: found }) => [
          claim,
          found.verdict === 'refuted' ? (found.why ?? 'refuted') : found.verdict,
        ]),
    )
  const sound = {
    states: 'proved',
    end: 'proved',
    guards: 'proved',
    interrupts: 'proved',
    forks: 'proved',
    approvals: 'proved',
  }

  test('PV-9: holds of a sound definition', () => {
    expect(standing(deploy)).toEqual(sound)
  })

  test('PV-9: a trap, a state out of reach and a guard that never passes are found', () => {
    const trap = deploy.replace('on: { DONE: done }', 'on: { DONE: deploying }')
    expect(standing(trap)).toMatchObject({ end: 'refuted', states: 'done is never entered.' })
    const dead = deploy.replace('command: npm test,', 'command: npm run e2e,')
    expect(standing(dead)).toMatchObject({
      guards: 'tested never passes for SHIP in working.',
      states: 'deploying is never entered. done is never entered.',
      end: 'refuted',
    })
  })

  test('PV-9: an approval that another event goes round is found', () => {
    const round = deploy.replace('BACK: planning', 'BACK: planning\n      HURRY: deploying')
    expect(standing(round)).toEqual({ ...sound, approvals: 'refuted' })
    const safe = deploy.replace(
      '[npm test]\n    on:\n      SHIP',
      '[npm test]\n    safe_next: deploying\n    on:\n      SHIP',
    )
    expect(standing(safe)).toEqual({ ...sound, approvals: 'refuted' })
  })

  test('PV-9: an interrupt that hides another is found, one that only overlaps is not', () => {
    const two = (first: string, second: string) =>
      deploy.replace(
        "migration: { trigger: { file_pattern: 'migrations/**' }",
        `first: { trigger: { file_pattern: '${first}' }, target: migrating }
  second: { trigger: { file_pattern: '${second}' }`,
      )
    const why = 'second never fires: every file that it matches fires first first.'
    expect(standing(two('**/*.sql', 'db/**/*.{sql,SQL.sql}'))).toEqual({
      ...sound,
      interrupts: why,
    })
    expect(standing(two('db/**', '**/*.sql'))).toEqual(sound)
  })

  test('PV-9: a fork that cannot join is found', () => {
    const fork = (initial: string) => `
id: forked
initial: ready
states:
  ready:
    on:
      RUN:
        fork:
          branches:
            left: { initial: one, terminal: good }
            right: { initial: ${initial}, terminal: good }
          on_complete: done
          on_fail: lost
  one: { on: { OK: good, BAD: bad } }
  two: { on: { BAD: bad } }
  good: { type: final }
  bad: { type: final, outcome: failure }
  lost: { type: final, outcome: failure }
  done: { type: final }
`
    expect(standing(fork('one'))).toMatchObject({ forks: 'proved' })
    expect(standing(fork('two'))).toMatchObject({ forks: 'The fork of ready RUN never joins.' })
  })
})
