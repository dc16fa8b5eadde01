import { describe, expect, test } from 'vitest'
import { person, play, worker } from '../../packages/core/src/reduce/play.test-kit.ts'

/** Answers to questions that the main rules leave open, about moving a run. */

const approving = `
id: w
initial: a
meta: { approval_mode: ui }
states:
  a:
    allowed_tools: [Read]
    on:
      SET: a
      GO: { target: b, guard: ready, requires_approval: true, approval_message: Go on? }
  b: { type: final }
guards:
  ready: { field: ready, op: eq, value: true }
`

const fresh = `
id: w
initial: a
meta: { approval_mode: ui }
evidence:
  tests: { tool: Bash, command: npm test, stale_after: ['src/**'] }
guards:
  fresh: { evidence: tests }
states:
  a: { on: { GO: { target: b, guard: fresh, requires_approval: true } } }
  b: { type: final }
`

const forking = `
id: w
initial: a
context: { shared: 1 }
states:
  a:
    on:
      GO:
        fork:
          branches: { x: { initial: x1, terminal: x9 }, y: { initial: y1, terminal: y9 } }
          join: JOIN
          on_complete: b
  x1: { allowed_tools: [Edit, Read], on: { STEP: x2, DONE: x9 } }
  x2: { on: { DONE: { target: x9, guard: never } } }
  x9: { type: final }
  y1: { allowed_tools: [Edit, Bash], on: { DONE: y9 } }
  y9: { type: final }
  fix: { on: { BACK: $return } }
  b: { type: final }
guards:
  never: { field: never, op: exists }
interrupts:
  sql: { trigger: { file_pattern: '*.sql' }, target: fix }
`
const forkAll = forking.replace('JOIN', 'all')
const forkAny = forking.replace('JOIN', 'any')

describe('dates in guards', () => {
  test.each([
    ['2026-01-02', 'gt', '2026-01-01', true],
    ['2026-01-02', 'lt', '2026-01-01', false],
    ['2026-01-01T10:00:00+02:00', 'lt', '2026-01-01T09:00:00Z', true],
    ['2026-01-01T10:00:00', 'gte', '2026-01-01T10:00:00Z', true],
    ['2026-01-01T10:00:00', 'lte', '2026-01-01T10:00:00Z', true],
    ['2026-01', 'lt', '2026-02', false],
    ['2026', 'lt', '2027', false],
    ['tomorrow', 'lt', 'yesterday', false],
    ['10', 'lt', '9', false],
    ['2026-02-30', 'lt', '2026-03-05', false],
  ])('WF-18a: %s %s %s is %s', (field, op, value, passes) => {
    const played = play({
      id: 'w',
      initial: 'a',
      context: { field },
      guards: { g: { field: 'field', op, value } },
      states: { a: { on: { GO: { target: 'b', guard: 'g' } } }, b: { type: 'final' } },
    } as never)
    expect(played.send('GO')).toBe(passes ? 'ok' : 'guard_failed')
  })
})

describe('transition_count', () => {
  test("WF-21a: counts the agent's own moves, in branches too, and not the join", () => {
    const played = play(forkAll)
    played.send('GO')
    played.send('DONE', undefined, { branch: 'x' })
    played.send('NOWHERE', undefined, { branch: 'y' })
    played.send('DONE', undefined, { branch: 'y' })
    expect(played.status).toBe('completed')
    expect(played.run.transitionCount).toBe(3)
  })

  test('WF-21a: does not count interrupts and forces', () => {
    const played = play({
      id: 'w',
      initial: 'a',
      meta: { debug: true },
      interrupts: { sql: { trigger: { file_pattern: '*.sql' }, target: 'fix' } },
      states: { a: { on: { GO: 'b' } }, fix: { on: { BACK: '$return' } }, b: { type: 'final' } },
    } as never)
    played.edit('a.sql')
    played.result(played.call)
    expect(played.state).toBe('fix')
    expect(played.run.transitionCount).toBe(0)
    played.force('a')
    expect(played.run.transitionCount).toBe(0)
    played.send('GO')
    expect(played.run.transitionCount).toBe(1)
  })
})

describe('a parked run', () => {
  test('WF-22a: the same event again is told the id that waits', () => {
    const played = play(approving, { context: { ready: true } })
    expect(played.send('GO', { note: 1 })).toBe('pending')
    const id = played.run.main.approval?.id
    expect(played.send('GO')).toBe('approval_pending')
    expect(played.last.refusal?.approvalId).toBe(id)
    expect(played.send('SET')).toBe('approval_pending')
    expect(played.tool('Read')).toBe('allow')
  })

  test('WF-22a: data merges at the approval, and a second verdict is refused', () => {
    const played = play(approving, { context: { ready: true } })
    played.send('GO', { note: 1 })
    expect(played.context).toEqual({ ready: true })
    const approvalId = played.run.main.approval?.id ?? ''
    expect(played.resolve('approve')).toBe('ok')
    expect(played.context).toEqual({ ready: true, note: 1 })
    expect(played.resolve('reject', { approvalId })).toBe('approval_resolved')
  })

  test('WF-22a: guards that no longer hold end the approval as failed', () => {
    const played = play(fresh)
    const digests = (stale: string) => ({ tests: { stale, definedBy: null } })
    played.bash('npm test', { more: { digests: digests('one') } })
    played.result(played.call, { digests: digests('one') })
    expect(played.send('GO', undefined, { digests: digests('one') })).toBe('pending')
    expect(played.resolve('approve', { digests: digests('two') })).toBe('guard_failed')
    expect([played.state, played.run.main.approval]).toEqual(['a', null])
    expect(played.entries.at(-1)).toMatchObject({ verdict: 'failed' })
  })

  test('WF-22a: in a branch only that branch waits', () => {
    const played = play(
      forkAll
        .replace('id: w', 'id: w\nmeta: { approval_mode: ui }')
        .replace('STEP: x2', 'STEP: { target: x2, requires_approval: true }'),
    )
    played.send('GO')
    expect(played.send('STEP', undefined, { branch: 'x' })).toBe('pending')
    expect(played.send('DONE', undefined, { branch: 'x' })).toBe('approval_pending')
    expect(played.send('DONE', undefined, { branch: 'y' })).toBe('ok')
  })
})

describe('children', () => {
  const child = {
    id: 'child',
    initial: 'c',
    states: { c: { allowed_tools: ['Grep'], on: { END: 'd' } }, d: { type: 'final' } },
  }
  const parent = (policy: object) => ({
    id: 'parent',
    initial: 'a',
    policy,
    states: {
      a: { allowed_tools: ['Read'], on: { RUN: { invoke: 'child', on_complete: 'b' } } },
      b: { type: 'final' },
    },
  })

  test("WF-23a: the child's tools count, and the parent's policy holds as well", () => {
    const played = play(parent({ deny: [{ capability: 'grep' }] }) as never, {
      invokes: [child as never],
    })
    played.send('RUN')
    expect(played.state).toBe('c')
    expect(played.tool('Read')).toBe('tool_not_allowed')
    expect(played.tool('Grep')).toBe('policy_denied')
    const free = play(parent({}) as never, { invokes: [child as never] })
    free.send('RUN')
    expect(free.tool('Grep')).toBe('allow')
  })

  test('WF-23a: eight levels are the most, which bounds a cycle', () => {
    const self = {
      id: 'self',
      initial: 'a',
      states: { a: { on: { RUN: { invoke: 'self', on_complete: 'b' } } }, b: { type: 'final' } },
    }
    const played = play(self as never)
    const answers = Array.from({ length: 10 }, () => played.send('RUN'))
    expect(new Set(answers.slice(0, 7))).toEqual(new Set(['ok']))
    expect(answers.at(-1)).toBe('invoke_too_deep')
    expect(played.run.main.frames.length).toBeLessThanOrEqual(9)
  })
})

describe('branches', () => {
  test('WF-24a: data of BRANCH_DONE merges into the branch first', () => {
    const played = play(forkAll)
    played.send('GO')
    expect(played.send('BRANCH_DONE:x', { result: 'fine' })).toBe('ok')
    played.send('BRANCH_DONE:y')
    expect(played.status).toBe('completed')
    expect(played.context).toMatchObject({ result: 'fine', branches: { x: { result: 'fine' } } })
  })

  test('WF-24a: a key is changed when its value differs; two changes stay apart', () => {
    const played = play(forkAll)
    played.send('GO')
    played.send('BRANCH_DONE:x', { shared: 1, both: 'x', mine: true })
    played.send('BRANCH_DONE:y', { shared: 2, both: 'y' })
    expect(played.context).toMatchObject({ shared: 2, mine: true })
    expect(played.context).not.toHaveProperty('both')
  })

  test('WF-24a: with join any, the cancelled branch keeps its context', () => {
    const played = play(forkAny)
    played.send('GO')
    played.send('STEP', { seen: 1 }, { branch: 'x' })
    played.send('BRANCH_DONE:y')
    expect(played.status).toBe('completed')
    expect(played.context).toMatchObject({ branches: { x: { seen: 1 }, y: { shared: 1 } } })
  })

  test('WF-24a: an interrupt in a branch belongs to that branch', () => {
    const played = play(forkAll)
    played.send('GO')
    played.edit('a.sql', { branch: 'x' })
    played.result(played.call)
    expect(played.branches).toMatchObject({ x: 'running fix', y: expect.stringContaining('y1') })
    expect(played.send('BACK', undefined, { branch: 'x' })).toBe('ok')
    expect(played.branches).toMatchObject({ x: 'running x1' })
  })

  test('WF-25a: beside a bound worker, the parent may only start workers', () => {
    const played = play(forkAll)
    played.send('GO')
    expect(played.bind('x', worker('w1'))).toBe('ok')
    expect(played.tool('Read')).toBe('tool_not_allowed')
    expect(played.tool('Agent')).toBe('allow')
    expect(played.tool('Task')).toBe('allow')
    expect(played.tool('Read', { by: worker('w2') })).toBe('tool_not_allowed')
    expect(played.tool('Read', { by: worker('w1') })).toBe('allow')
    expect(played.tool('Bash', { by: worker('w1') })).toBe('tool_not_allowed')
  })
})

describe('force, pause and resume', () => {
  const debug = {
    id: 'w',
    initial: 'a',
    meta: { debug: true },
    states: { a: { allowed_tools: ['Read'], on: { GO: 'b' } }, b: { type: 'final' } },
  } as never

  test('WF-26a: forcing into a final state ends the run, and an ended run cannot be forced', () => {
    const played = play(debug)
    expect(played.force('b')).toBe('ok')
    expect(played.status).toBe('completed')
    expect(played.force('a')).toBe('run_not_active')
  })

  test('WF-27a: only a paused run can be resumed, and the gap is in the history', () => {
    const played = play(debug)
    expect(played.resume()).toBe('run_not_paused')
    expect(played.pause()).toBe('ok')
    expect(played.tool('Write')).toBe('allow')
    expect(played.resume(person)).toBe('ok')
    expect(played.tool('Write')).toBe('tool_not_allowed')
    const types = played.entries.map((entry) => entry.type)
    expect(types.indexOf('paused')).toBeGreaterThan(0)
    expect(types.indexOf('resumed')).toBeGreaterThan(types.indexOf('paused'))
  })
})

describe('evidence and results', () => {
  test('WF-31a: candidates that fail for want of evidence name it', () => {
    const played = play(`
id: w
initial: a
evidence: { tests: { tool: Bash, command: npm test } }
guards: { green: { evidence: tests } }
states:
  a: { on: { GO: [{ target: b, guard: green }] } }
  b: { type: final }
`)
    expect(played.send('GO')).toBe('no_candidate')
    expect(played.last.refusal?.message).toContain('tests')
    expect(JSON.stringify(played.last.refusal)).toContain('npm test')
  })

  test('WF-32a: a repeated call gets the same answer and counts once', () => {
    const played = play({
      id: 'w',
      initial: 'a',
      states: { a: { max_iterations: 1, on: { GO: 'b' } }, b: { type: 'final' } },
    } as never)
    expect(played.tool('Read', { id: 'same' })).toBe('allow')
    expect(played.tool('Read', { id: 'same' })).toBe('allow')
    expect(played.frame().counters.iterations).toBe(1)
    expect(played.tool('Read', { id: 'other' })).toBe('iterations_exhausted')
  })

  test('WF-32a: a second result is ignored, one for an unknown call refused', () => {
    const played = play({
      id: 'w',
      initial: 'a',
      states: { a: { on: { GO: 'b' } }, b: { type: 'final' } },
    })
    played.tool('Read', { id: 'one' })
    expect(played.result('one', { bytes: 10 })).toBe('ok')
    played.result('one', { bytes: 10 })
    expect(played.frame().counters.bytes).toBe(10)
    expect(played.result('never')).toBe('unknown_call')
  })

  test('WF-32a: a failed result gives back its file, not the call', () => {
    const played = play({
      id: 'w',
      initial: 'a',
      states: {
        a: { max_files_per_state: 1, max_iterations: 3, on: { GO: 'b' } },
        b: { type: 'final' },
      },
    } as never)
    played.edit('one.ts')
    played.result(played.call, { exit: 'failure' })
    expect(played.frame().counters).toMatchObject({ iterations: 1, files: [] })
    expect(played.edit('two.ts')).toBe('allow')
  })
})
