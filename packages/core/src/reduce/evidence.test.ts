import { describe, expect, test } from 'vitest'
import { describeCall } from '../decide/describe-call.ts'
import type { DigestFacts } from '../run/events.ts'
import { brief } from '../view/brief.ts'
import { runView } from '../view/run-view.ts'
import { agent, play, rows, worker } from './play.test-kit.ts'

const workflow = (more = '') => `
id: w
initial: work
evidence:
  tests: {tool: Bash, command: npm test, stale_after: ["src/**"]${more}}
  red: {tool: Bash, command: npm test, exit: failure}
  scan: {tool: mcp__ci__scan, trust: reported}
guards:
  tested: {evidence: tests}
  was_red: {evidence: red}
  scanned: {evidence: scan}
  high: {field: score, op: gte, value: 80}
states:
  work:
    on:
      SHIP: {target: done, guard: tested}
      RED: {target: work, guard: was_red}
      SCAN: {target: work, guard: scanned}
      PICK: [{target: done, guard: tested}, {target: done, guard: high}]
      BOTH: {target: done, guards: [tested, high]}
      AGAIN: work
      FORK: {fork: {branches: {a: {initial: a1, terminal: a2}, b: {initial: b1, terminal: b2}},
          on_complete: work}}
  a1: {on: {GO: a2}}
  a2: {type: final}
  b1: {on: {GO: b2, SHIP: {target: b2, guard: tested}}}
  b2: {type: final}
  done: {type: final}
`
const files = (stale: string | null, definedBy: string | null = null): DigestFacts => ({
  tests: { stale, definedBy },
  red: { stale: null, definedBy: null },
})
const same = files('d1')

type Run = ReturnType<typeof play>

/** Runs the tests as they should be run. */
function tested(run: Run, exit: 'success' | 'failure' | null = 'success', digests = same): void {
  expect(run.bash('npm test', { more: { digests } })).toBe('allow')
  run.result(run.call, { exit, digests })
}

describe('evidence', () => {
  test('WF-31: it passes when the newest matching call succeeded and nothing changed since', () => {
    const run = play(workflow())
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    tested(run)
    expect(run.left).toEqual(['call_finished', 'evidence', 'evidence'])
    expect(run.send('SHIP', undefined, { digests: same })).toBe('ok')
    expect(run.last.entries[0]).toMatchObject({
      guards: [{ guard: 'tested', passed: true, saw: 'fresh' }],
    })
  })

  test('WF-31: brief, view and refusal say what is missing and which command gives it', () => {
    const run = play(workflow())
    const wants = 'evidence "tests" (run `npm test` on its own, ending in success)'
    run.send('SHIP')
    expect(run.last.refusal?.message).toBe(
      `Not possible yet: tested needs ${wants}, but it is "missing".`,
    )
    expect(brief(run.program, run.run, agent)).toContain(`Needs: SHIP needs ${wants}.`)
    expect(runView(run.program, run.run, agent).evidence).toEqual({
      tests: 'missing',
      red: 'missing',
      scan: 'missing',
    })
  })

  const exits = rows<'rule' | 'exit' | 'ship' | 'red'>(`
    rule   exit     ship              red
    WF-31  success  ok                evidence_missing
    WF-31  failure  evidence_missing  ok
    WF-31  null     evidence_missing  evidence_missing
  `)
  test.each(exits)('$rule: a run of tests that ends in $exit', ({ exit, ship, red }) => {
    const run = play(workflow())
    // The table holds nothing but exits.
    tested(run, exit === 'null' ? null : (exit as 'success'))
    expect(run.send('RED', undefined, { digests: same })).toBe(red)
    expect(run.send('SHIP', undefined, { digests: same })).toBe(ship)
  })

  test('WF-31: only the newest call counts, and one that runs still proves nothing', () => {
    const run = play(workflow())
    tested(run)
    run.bash('npm test', { more: { digests: same } })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    run.result(run.call, { exit: 'failure', digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    expect(runView(run.program, run.run, agent).evidence.tests).toBe('refuted')
  })

  test('WF-31: an old call that ends late does not speak over a newer one', () => {
    const run = play(workflow())
    run.bash('npm test', { more: { digests: same } })
    const slow = run.call
    tested(run, 'failure')
    run.result(slow, { exit: 'success', digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
  })

  test('WF-31a: a list that fails for want of evidence is no_candidate and names it', () => {
    const run = play(workflow())
    expect(run.send('PICK')).toBe('no_candidate')
    expect(run.last.refusal?.message).toContain('evidence "tests"')
    expect(run.send('BOTH')).toBe('guard_failed')
  })

  test('WF-31: a reported result counts only where the definition trusts it', () => {
    const run = play(workflow())
    run.bash('npm test', { more: { digests: same } })
    run.result(run.call, { source: 'reported', digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    expect(run.last.refusal?.guards?.[0]?.saw).toBe('only_reported')
    run.tool('mcp__ci__scan')
    run.result(run.call, { source: 'reported' })
    expect(run.send('SCAN')).toBe('ok')
  })

  test('WF-31: evidence of another tool or server proves nothing', () => {
    const run = play(workflow())
    run.tool('mcp__evil__scan')
    run.result(run.call)
    run.tool('scan')
    run.result(run.call)
    expect(run.send('SCAN')).toBe('evidence_missing')
  })
})

describe('commands that prove nothing', () => {
  const commands = [
    'npm test || true',
    'npm test; true',
    'true && npm test',
    'npm test | tee log',
    '! npm test',
    'npm test &',
    '(npm test)',
    '{ npm test; }',
    'CI=1 npm test',
    'PATH=/tmp/fake npm test',
    'npm() { true; }; npm test',
    'alias npm=true\nnpm test',
    'cd /tmp/fake && npm test',
    'env -C /tmp/fake npm test',
    'bash -c "npm test"',
    'timeout 1 npm test',
    'if npm test; then true; fi',
    'npm test -- --passWithNoTests',
    'npm test --prefix /tmp/fake',
    'npm tests',
    'npm run test',
    'echo npm test',
    '"npm test"',
    'npm $(echo test)',
    'npm test # and\ntrue',
    'npm test\ntrue',
  ]
  test.each(commands.map((command) => ({ command })))('WF-31: $command', ({ command }) => {
    const run = play(workflow())
    run.bash(command, { more: { digests: same } })
    run.result(run.call, { digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
  })

  const fine = ['npm test', '  npm   test  ', "npm 'test'", 'npm test 2>&1', 'npm test > /dev/null']
  test.each(fine.map((command) => ({ command })))('WF-31: "$command" does prove it', (row) => {
    const run = play(workflow())
    run.bash(row.command, { more: { digests: same } })
    run.result(run.call, { digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('ok')
  })

  test('WF-31: in the background, or in another directory, it proves nothing', () => {
    for (const facts of [{ background: true }, { elsewhere: true }]) {
      const run = play(workflow())
      expect(run.bash('npm test', { ...facts, more: { digests: same } })).toBe('allow')
      run.result(run.call, { digests: same })
      expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    }
  })

  const positions = rows<'rule' | 'field' | 'value' | 'elsewhere'>(`
    rule   field    value     elsewhere
    WF-31  workdir  /tmp/x    true
    WF-31  cwd      sub       true
    WF-31  cwd      ..        true
    WF-31  workdir  /repo     undefined
    WF-31  workdir  .         undefined
    WF-31  other    /tmp/x    undefined
  `)
  test.each(positions)(
    '$rule: $field $value is elsewhere: $elsewhere',
    ({ field, value, elsewhere }) => {
      const input = { command: 'npm test > out', [field]: value }
      const call = describeCall({ id: 'c', tool: 'shell', input }, { root: '/repo' })
      expect(String(call.elsewhere)).toBe(elsewhere)
      if (value === 'sub') expect(call.shellFiles).toEqual(['sub/out'])
    },
  )

  test('WF-31: the client’s own directory counts, too', () => {
    const raw = { id: 'c', tool: 'Bash', input: { command: 'npm test' } }
    expect(describeCall(raw, { root: '/repo', cwd: '/tmp/fake' }).elsewhere).toBe(true)
    expect(describeCall(raw, { root: '/repo', cwd: '/repo/' }).elsewhere).toBeUndefined()
  })
})

describe('stale evidence', () => {
  const table = rows<'rule' | 'before' | 'after' | 'now' | 'answer'>(`
    rule   before  after  now  answer
    WF-31  d1      d1     d1   ok
    WF-31  d0      d1     d1   evidence_missing
    WF-31  d1      d2     d2   evidence_missing
    WF-31  d1      d1     d2   evidence_missing
    WF-31  d1      d2     d1   evidence_missing
    WF-31  -       d1     d1   evidence_missing
    WF-31  d1      -      d1   evidence_missing
    WF-31  d1      d1     -    evidence_missing
  `)
  test.each(table)('$rule: digests $before, $after, $now give $answer', (row) => {
    const run = play(workflow())
    const facts = (digest: string) => (digest === '-' ? {} : { digests: files(digest) })
    run.bash('npm test', { more: facts(row.before) })
    run.result(run.call, facts(row.after))
    expect(run.send('SHIP', undefined, facts(row.now))).toBe(row.answer)
  })

  test('WF-31: an edit that we see voids it, even when the digests say nothing', () => {
    const run = play(workflow())
    tested(run)
    run.edit('docs/a.md')
    expect(run.send('AGAIN')).toBe('ok')
    run.edit('src/a.ts')
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    tested(run)
    expect(run.send('SHIP', undefined, { digests: same })).toBe('ok')
  })

  test('WF-31: so does a shell write, and an edit while the tests run', () => {
    const run = play(workflow())
    tested(run)
    run.bash('echo 1 > src/a.ts')
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    run.bash('npm test', { more: { digests: same } })
    const call = run.call
    run.edit('src/b.ts')
    run.result(call, { digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
  })

  test('WF-31: evidence outlives transitions', () => {
    const run = play(workflow())
    tested(run)
    run.send('AGAIN')
    run.pause()
    run.resume()
    expect(run.send('SHIP', undefined, { digests: same })).toBe('ok')
  })

  test('WF-31: an edit in one branch voids what another has proved', () => {
    const run = play(workflow())
    run.send('FORK')
    run.bind('a', worker('wa'))
    run.bind('b', worker('wb'))
    run.bash('npm test', { by: worker('wb'), more: { digests: same } })
    run.result(run.call, { digests: same })
    run.edit('src/a.ts', { by: worker('wa') })
    expect(run.send('SHIP', undefined, { by: worker('wb'), digests: same })).toBe(
      'evidence_missing',
    )
    run.send('GO', undefined, { by: worker('wb') })
    run.send('GO', undefined, { by: worker('wa') })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
  })

  test('WF-31: what a branch proved holds after the join', () => {
    const run = play(workflow())
    run.send('FORK')
    tested(run)
    run.send('GO')
    run.send('GO')
    expect(run.state).toBe('work')
    expect(run.send('SHIP', undefined, { digests: same })).toBe('ok')
  })
})

describe('what the agent says is no evidence', () => {
  const claims = [
    { tests: 'fresh' },
    { evidence: { tests: { outcome: 'proved', source: 'observed' } } },
    { tested: true },
    { main: { frames: [{ evidence: { tests: { outcome: 'proved' } } }] } },
  ]
  test.each(claims.map((data) => ({ data, text: JSON.stringify(data) })))(
    'WF-31: data $text sets nothing',
    ({ data }) => {
      const run = play(workflow())
      expect(run.send('AGAIN', data)).toBe('ok')
      expect(run.send('SHIP', data, { digests: same })).toBe('evidence_missing')
    },
  )

  test('WF-31: nor does a result for a call that was never judged', () => {
    const run = play(workflow())
    expect(run.result('made-up', { exit: 'success', digests: same })).toBe('unknown_call')
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
  })

  test('WF-31 SH-15: a result that voids the first one takes its proof back, and only that', () => {
    const run = play(workflow())
    tested(run)
    run.result(run.call, { exit: 'failure', voids: true })
    expect(run.left).toEqual(['evidence'])
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
    expect(run.send('RED', undefined, { digests: same })).toBe('evidence_missing')
  })

  test('WF-31: nor a second result after the first said failure', () => {
    const run = play(workflow())
    tested(run, 'failure')
    run.result(run.call, { exit: 'success', digests: same })
    expect(run.send('SHIP', undefined, { digests: same })).toBe('evidence_missing')
  })
})

describe('files that are swapped and swapped back', () => {
  const stamps = rows<'rule' | 'before' | 'after' | 'now' | 'answer'>(`
    rule   before  after  now  answer
    WF-31  s1      s1     s1   ok
    WF-31  s1      s1     s2   ok
    WF-31  s1      s2     s2   pending
    WF-31  -       s2     s2   ok
  `)
  test.each(stamps)('$rule: before $before, after $after, now $now: $answer', (row) => {
    const stamped = (stamp: string): DigestFacts => ({
      ...same,
      tests: { stale: 'd1', definedBy: null, ...(stamp === '-' ? {} : { stamp }) },
    })
    const run = play(workflow())
    run.bash('npm test', { more: { digests: stamped(row.before) } })
    run.result(run.call, { digests: stamped(row.after) })
    expect(run.send('SHIP', undefined, { digests: stamped(row.now) })).toBe(row.answer)
  })
})

describe('files that say what the command does', () => {
  const defined = workflow(', defined_by: [package.json]')
  const table = rows<'rule' | 'start' | 'before' | 'now' | 'answer'>(`
    rule   start  before  now  answer
    WF-31  p1     p1      p1   ok
    WF-31  p1     p1      p2   pending
    WF-31  p1     p2      p2   pending
    WF-31  p1     p2      p1   pending
    WF-31  -      p1      p1   pending
    WF-31  p1     -       p1   pending
    WF-31  p1     p1      -    pending
  `)
  test.each(table)('$rule: at the start $start, before $before, now $now: $answer', (row) => {
    const digest = (value: string) => files('d1', value === '-' ? null : value)
    const run = play(defined, { digests: digest(row.start) })
    tested(run, 'success', digest(row.before))
    expect(run.send('SHIP', { a: 1 }, { digests: digest(row.now) })).toBe(row.answer)
    if (row.answer === 'ok') return
    expect(run.status).toBe('waiting')
    expect(run.last.answer).toMatchObject({ message: expect.stringContaining('tested') })
    expect(run.resolve('approve', { by: agent })).toBe('self_approval')
    expect(run.resolve('approve', { digests: digest(row.now) })).toBe('ok')
    expect([run.status, run.context]).toEqual(['completed', { a: 1 }])
  })

  test('WF-31: an invoked workflow is held against the start of the run', () => {
    const parent =
      'id: p\ninitial: a\nstates: {a: {on: {SUB: {invoke: w, on_complete: z}}}, z: {type: final}}'
    const start = (digests: DigestFacts) => play(parent, { invokes: [defined], digests })
    const good = start({ 'w/tests': { stale: null, definedBy: 'p1' } })
    good.send('SUB')
    tested(good, 'success', files('d1', 'p1'))
    expect(good.send('SHIP', undefined, { digests: files('d1', 'p1') })).toBe('ok')
    const unknown = start({ tests: { stale: null, definedBy: 'p1' } })
    unknown.send('SUB')
    tested(unknown, 'success', files('d1', 'p1'))
    expect(unknown.send('SHIP', undefined, { digests: files('d1', 'p1') })).toBe('pending')
  })
})
