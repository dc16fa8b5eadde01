import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../check/check-definition.ts'
import { describeFor } from '../decide/describe-call.ts'
import type { Program } from '../machine/machine.ts'
import { compileProgram } from '../machine/program.ts'
import { ObedientAgent } from './obedient.ts'

const bugfix = `
id: bugfix
initial: investigating
context: { cause: null }
states:
  investigating:
    allowed_tools: [Read, Bash]
    allowed_commands: [git log, npm test]
    on: { FOUND: named, GAVE_UP: gave_up }
  named:
    allowed_tools: [Read]
    on: { BEGIN: { target: fixing, guard: cause_known }, BACK: investigating }
  fixing:
    allowed_tools: [Read, Edit, Write]
    max_edit_lines: 5
    max_files_per_state: 2
    on: { FIXED: testing, BACK: investigating }
  testing:
    allowed_tools: [Read, Bash]
    allowed_commands: [npm test, git status]
    on: { PASSED: { target: done, guard: green }, FAILED: fixing }
  done: { type: final }
  gave_up: { type: final, outcome: failure }
guards:
  cause_known: { field: cause, op: exists }
  green: { evidence: tests }
evidence:
  tests: { tool: Bash, command: npm test, exit: success, stale_after: ['src/**'] }
`

function programOf(text: string): Program {
  const parsed = parseDefinition(text)
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  // Both parts come from one parse.
  const program = compileProgram({ kind: parsed.kind, definition: parsed.definition } as never)
  if (!program.ok) throw new Error(JSON.stringify(program.error))
  return program.value
}

type Step = readonly [tool: string, input: object | string, exit?: 'success' | 'failure' | null]

const edit = (file: string, lines = 1): Step => [
  'Edit',
  { file_path: file, old_string: 'a\n'.repeat(lines), new_string: 'b\n'.repeat(lines) },
]
const run = (command: string, exit: Step[2] = 'success'): Step => ['Bash', { command }, exit]

/** Plays calls one after the other, each with its result, and tells each in a line. */
function play(text: string, steps: readonly (Step | 'prompt')[]) {
  const program = programOf(text)
  const agent = new ObedientAgent(program)
  const lines: string[] = []
  const answers = steps.flatMap((step, index) => {
    const at = 1000 * (index + 1)
    if (step === 'prompt') {
      agent.prompt(at, 'next')
      return []
    }
    const [tool, input, exit = 'success'] = step
    const call = describeFor(program, { id: `c${index}`, tool, input }, { root: '/srv/shop' })
    const command = typeof input === 'object' && 'command' in input ? String(input.command) : tool
    const answer = agent.call({ at, call, command })
    if (answer === undefined) throw new Error('it was judged before')
    agent.result({ at: at + 1, id: call.id, exit, bytes: 10, output: '' })
    const why = answer.missing?.join(', ') ?? answer.code
    lines.push([command, answer.kind, ...(why === undefined ? [] : [why])].join(' · '))
    return [answer]
  })
  return { lines, answers, moves: agent.moves }
}

describe('the obedient agent', () => {
  test('RP-26: edits and tests pass, and so does a commit after a green test', () => {
    const { lines, moves } = play(bugfix, [
      ['Read', { file_path: '/srv/shop/src/a.ts' }],
      run('npm test', 'failure'),
      edit('/srv/shop/src/a.ts'),
      run('npm test'),
      run('git commit -m fix'),
    ])
    expect(lines).toEqual([
      'Read · allow',
      'npm test · allow',
      'Edit · allow',
      'npm test · allow',
      'git commit -m fix · allow',
    ])
    expect(moves).toEqual({ runs: 1, events: 4, approvals: 0, claims: ['cause'] })
  })

  test('RP-26: a commit without a green test after the last edit is what it names', () => {
    const { lines, answers } = play(bugfix, [
      run('npm test'),
      edit('/srv/shop/src/a.ts'),
      run('git status'),
      run('git commit -m fix'),
    ])
    expect(lines).toEqual([
      'npm test · allow',
      'Edit · allow',
      'git status · allow',
      'git commit -m fix · deny · command_not_allowed',
    ])
    expect(answers[3]).toMatchObject({ state: 'testing', path: 'states.testing.allowed_commands' })
    expect(answers[3]?.message).toContain('PASSED is refused: ')
    expect(answers[3]?.message).toContain('npm test')
  })

  test('RP-26: a red test is none, and one before the edit is none', () => {
    const red = play(bugfix, [edit('src/a.ts'), run('npm test', 'failure'), run('git push')])
    expect(red.lines.at(-1)).toBe('git push · deny · command_not_allowed')
    const stale = play(bugfix, [
      edit('src/a.ts'),
      run('npm test'),
      edit('src/a.ts'),
      run('git commit'),
    ])
    expect(stale.lines.at(-1)).toBe('git commit · deny · command_not_allowed')
  })

  test('RP-26: giving up, or an end that nothing guards, is no way to a tool', () => {
    const open = `
id: open
initial: work
states: { work: { allowed_tools: [Read], on: { DONE: done } }, done: { type: final } }
`
    expect(play(open, [run('git push')]).lines).toEqual(['git push · deny · tool_not_allowed'])
    expect(play(bugfix, [run('git push')]).lines).toEqual(['git push · deny · command_not_allowed'])
  })

  test('RP-26: approvals on the way and questions about a call count as asked and given', () => {
    const deploy = `
id: deploy
initial: preparing
states:
  preparing: { allowed_tools: [Read], on: { GO: { target: deploying, requires_approval: true } } }
  deploying: { allowed_tools: [Bash, Write, Edit], on: { END: done } }
  done: { type: final }
policy: { ask: [{ capability: bash }] }
meta: { approval_mode: ui }
`
    const { lines, moves } = play(deploy, [run('kubectl apply -f x.yaml'), run('kubectl get pods')])
    expect(lines).toEqual([
      'kubectl apply -f x.yaml · ask · approval_required',
      'kubectl get pods · ask · approval_required',
    ])
    expect(moves).toMatchObject({ events: 1, approvals: 1 })
  })

  test('RP-26: after the end the next edit or prompt begins a new run', () => {
    const fix = [edit('src/a.ts'), run('npm test'), run('git commit')]
    const again = play(bugfix, [...fix, run('git push'), edit('src/b.ts'), run('git commit')])
    expect(again.lines.slice(3)).toEqual([
      'git push · allow',
      'Edit · allow',
      'git commit · deny · command_not_allowed',
    ])
    const asked = play(bugfix, [...fix, 'prompt', run('git push')])
    expect(asked.lines.at(-1)).toBe('git push · deny · command_not_allowed')
    expect(asked.moves.runs).toBe(2)
  })

  test('RP-26: where an interrupt fires, the agent follows it', () => {
    const guarded = `
id: guarded
initial: work
states:
  work: { allowed_tools: [Edit, Bash], allowed_commands: [make] }
  review: { allowed_tools: [Read, Bash], allowed_commands: [make check], on: { OK: $return } }
interrupts: { secrets: { trigger: { file_pattern: '**/*.env' }, target: review } }
`
    const { answers, moves } = play(guarded, [edit('prod.env'), run('make check'), run('make')])
    expect(answers.map(({ kind, state }) => [kind, state])).toEqual([
      ['allow', 'work'],
      ['allow', 'review'],
      ['allow', 'work'],
    ])
    expect(moves.events).toBe(1)
  })
})

describe('a call that was denied', () => {
  test('RP-27: was made, so that its edit makes evidence stale', () => {
    const large = edit('src/a.ts', 50)
    const { lines } = play(bugfix, [edit('src/a.ts'), run('npm test'), large, run('git commit')])
    expect(lines.slice(2)).toEqual([
      'Edit · deny · edit_too_large',
      'git commit · deny · command_not_allowed',
    ])
    const then = play(bugfix, [large, run('npm test'), run('git commit')])
    expect(then.lines).toEqual([
      'Edit · deny · edit_too_large',
      'npm test · allow',
      'git commit · allow',
    ])
  })

  test('RP-27: changed nothing when it failed', () => {
    const [tool, input] = edit('src/a.ts', 50)
    const { lines } = play(bugfix, [
      edit('src/a.ts'),
      run('npm test'),
      [tool, input, 'failure'],
      run('git commit'),
    ])
    expect(lines.at(-1)).toBe('git commit · allow')
  })

  test('RP-27: uses up no limit of its state', () => {
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts'].map((file) => edit(file))
    const { lines } = play(bugfix, [...files, edit('src/a.ts')])
    expect(lines).toEqual([
      'Edit · allow',
      'Edit · allow',
      'Edit · deny · too_many_files',
      'Edit · allow',
    ])
  })

  test('RP-27: a result that never comes counts as done when the next calls are made', () => {
    const program = programOf(bugfix)
    const agent = new ObedientAgent(program)
    const answer = (id: string, [tool, input]: Step, at: number) =>
      agent.call({ at, call: describeFor(program, { id, tool, input }, { root: '/srv/shop' }) })
    const end = (id: string, at: number) =>
      agent.result({ at, id, exit: 'success', bytes: 1, output: '' })
    answer('e1', edit('src/a.ts'), 1)
    end('e1', 2)
    answer('t1', run('npm test'), 3)
    end('t1', 4)
    // Asked for together with a command, and told of no more: it is too large to be allowed.
    answer('e2', edit('src/a.ts', 50), 5)
    answer('s1', run('git status'), 6)
    end('s1', 7)
    expect(answer('c1', run('git commit'), 8)?.kind).toBe('deny')
  })
})

describe('what a transcript does not tell is not held against a call', () => {
  test('RP-28: a denial that rests on an unknown exit is undecided, and names the command', () => {
    const { lines } = play(bugfix, [edit('src/a.ts'), run('npm test', null), run('git commit')])
    expect(lines.at(-1)).toBe('git commit · undecided · exit of npm test')
    const known = play(bugfix, [
      edit('src/a.ts'),
      run('npm test', null),
      run('npm test', 'failure'),
      run('git commit'),
    ])
    expect(known.lines.at(-1)).toBe('git commit · deny · command_not_allowed')
    const after = play(bugfix, [run('npm test', null), edit('src/a.ts'), run('git commit')])
    expect(after.lines.at(-1)).toBe('git commit · deny · command_not_allowed')
  })

  test('RP-28: an end that is told later counts', () => {
    const program = programOf(bugfix)
    const agent = new ObedientAgent(program)
    const call = (id: string, [tool, input]: Step, at: number) =>
      agent.call({
        at,
        call: describeFor(program, { id, tool, input }, { root: '/srv/shop' }),
        command: 'npm test',
      })?.kind
    call('e', edit('src/a.ts'), 1)
    agent.result({ at: 2, id: 'e', exit: 'success', bytes: 1 })
    call('t', run('npm test'), 3)
    agent.result({ at: 4, id: 't', exit: null, bytes: 1 })
    expect(call('c1', run('git commit'), 5)).toBe('undecided')
    agent.result({ at: 6, id: 't', exit: 'failure', bytes: 1 })
    expect(call('c2', run('git commit'), 7)).toBe('deny')
  })

  test('RP-28: a limit on lines that the old text would decide is undecided', () => {
    const program = programOf(bugfix)
    const input = { file_path: 'src/a.ts', content: 'x\n'.repeat(50) }
    const call = describeFor(program, { id: 'w', tool: 'Write', input }, { root: '/srv/shop' })
    const judged = (unknownText: readonly string[]) =>
      new ObedientAgent(program).call({ at: 1, call, unknownText })
    expect(judged([])?.kind).toBe('deny')
    expect(judged(['src/a.ts'])).toMatchObject({
      kind: 'undecided',
      missing: ['old text of src/a.ts'],
    })
  })

  test('RP-28: one of several unknown ends may have ended the run', () => {
    const tests = run('npm test', null)
    const commit = run('git commit')
    const failed = run('npm test', 'failure')
    const { lines } = play(bugfix, [tests, commit, tests, tests, tests, tests, failed, commit])
    expect(lines.at(-1)).toContain('git commit · undecided')
  })

  test('RP-28: no unknown exit makes a denial that every known one would not', () => {
    const step = fc.constantFrom<Step | 'prompt'>(
      edit('src/a.ts'),
      edit('src/b.ts', 50),
      run('npm test'),
      run('npm test', 'failure'),
      run('npm test', null),
      run('git commit'),
      run('git status'),
      'prompt',
    )
    const withExit = (steps: readonly (Step | 'prompt')[], exit: 'success' | 'failure') =>
      steps.map((one): Step | 'prompt' =>
        one !== 'prompt' && one[2] === null ? [one[0], one[1], exit] : one,
      )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const unknown = play(bugfix, steps).answers
        const known = (['success', 'failure'] as const).map(
          (exit) => play(bugfix, withExit(steps, exit)).answers,
        )
        for (const [index, { kind }] of unknown.entries()) {
          if (kind === 'deny')
            expect(known.map((answers) => answers[index]?.kind)).toEqual(['deny', 'deny'])
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('sub-agents', () => {
  test('RP-26: their calls belong to the run of the session', () => {
    const program = programOf(bugfix)
    const agent = new ObedientAgent(program)
    const call = (id: string, [tool, input]: Step, who?: string) => {
      const described = describeFor(program, { id, tool, input }, { root: '/srv/shop' })
      const answer = agent.call({ at: 1, call: described, ...(who ? { agent: who } : {}) })
      agent.result({ at: 2, id, exit: 'success', bytes: 1, output: '' })
      return answer?.kind
    }
    call('e', edit('src/a.ts'))
    call('t', run('npm test'))
    call('s', edit('src/a.ts'), 'helper')
    expect(call('c', run('git commit'))).toBe('deny')
  })
})
