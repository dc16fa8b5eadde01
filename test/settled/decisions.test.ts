import { type Decision, describeCall } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { type Play, play } from '../../packages/core/src/reduce/play.test-kit.ts'

/** Answers to questions that the main rules leave open, about judging tool calls. */

const workspace = { root: '/project' }

/** Sends a call as a client would, through the facts that its input gives. */
function call(
  played: Play,
  tool: string,
  input: unknown,
  facts: { toUs?: boolean } = {},
): Decision {
  const raw = { id: `raw${played.entries.length}`, tool, input, ...facts }
  const { answer } = played.dispatch({ type: 'tool_requested', call: describeCall(raw, workspace) })
  if (answer.type !== 'decided') throw new Error(answer.type)
  return answer.decision
}

function inState(state: object): Play {
  return play({
    id: 'w',
    initial: 'a',
    states: { a: { on: { GO: 'b', AGAIN: 'a' }, ...state }, b: final },
  } as never)
}

const final = { type: 'final' }

describe('shell entries', () => {
  test.each([
    ['Bash(git log *)', 'git log', 'allow'],
    ['Bash(git log *)', 'git log --oneline', 'allow'],
    ['Bash(git log *)', 'git logs', 'deny'],
    ['Bash(git log *)', 'git status', 'deny'],
    ['Bash(git log:*)', 'git log', 'allow'],
    ['Bash(git log:*)', 'git log -1', 'allow'],
    ['Bash(git log:*)', 'git push', 'deny'],
    ['Bash(git log)', 'git log', 'allow'],
    ['Bash(git log)', 'git log -1', 'deny'],
    ['Bash(git log *)', 'git log > out.txt', 'deny'],
    ['Bash(git log *)', 'git log | tee out.txt', 'deny'],
  ])('WF-6a: with %s, "%s" is %s', (entry, command, kind) => {
    const played = inState({ allowed_tools: ['Read', entry] })
    expect(call(played, 'Bash', { command }).kind).toBe(kind)
  })

  test('WF-6b: a list of words is judged as that argument list', () => {
    const rules = { allowed_tools: ['Bash'], allowed_commands: ['npm test'] }
    const kind = (command: unknown) => call(inState(rules), 'shell', { command }).kind
    expect(kind(['npm', 'test'])).toBe('allow')
    expect(kind(['bash', '-lc', 'npm test'])).toBe('deny') // bash itself is not listed
    expect(kind(['rm', '-rf', 'x'])).toBe('deny')
    const readOnly = (command: unknown) =>
      call(inState({ allowed_tools: ['Bash'] }), 'shell', { command }).kind
    expect(readOnly(['grep', '> out.txt', 'f'])).toBe('allow') // no shell, so no redirect
    expect(readOnly(['bash', '-lc', 'ls'])).toBe('allow')
    expect(readOnly(['bash', '-lc', 'rm x'])).toBe('deny')
  })

  test.each([undefined, null, 7, {}, [], [1]])(
    'WF-6b: a shell call whose command is %j is denied',
    (command) => {
      const played = inState({ allowed_tools: ['Bash'] })
      expect(call(played, 'Bash', { command }).kind).toBe('deny')
    },
  )
})

describe('counters', () => {
  const limits = { max_iterations: 2, max_files_per_state: 1, context_budget_bytes: 100 }

  test('WF-8a: calls, files and bytes are reset together, also by a transition to itself', () => {
    const played = inState({ ...limits, allowed_tools: ['Read', 'Edit'] })
    expect(played.edit('one.ts')).toBe('allow')
    played.result(played.call, { bytes: 40 })
    expect(played.edit('two.ts')).toBe('too_many_files')
    expect(played.frame().counters).toMatchObject({ iterations: 1, bytes: 40, files: ['one.ts'] })
    expect(played.send('AGAIN')).toBe('ok')
    expect(played.frame().counters).toMatchObject({ iterations: 0, bytes: 0, files: [] })
    expect(played.edit('two.ts')).toBe('allow')
  })

  test('WF-8a: our own tools count as no call', () => {
    const played = inState({ max_iterations: 1, allowed_tools: ['Read'] })
    for (let time = 0; time < 3; time++) {
      expect(call(played, 'statewright_get_state', {}, { toUs: true }).kind).toBe('allow')
    }
    expect(played.frame().counters.iterations).toBe(0)
    expect(played.tool('Read')).toBe('allow')
    expect(played.tool('Read')).toBe('iterations_exhausted')
    expect(call(played, 'statewright_get_state', {}, { toUs: true }).kind).toBe('allow')
  })
})

describe('edited lines', () => {
  const lines = (tool: string, input: object, old?: string) => {
    const facts = { ...workspace, oldText: () => old }
    return describeCall({ id: 'c', tool, input }, facts).edits?.map((edit) => edit.lines)
  }

  test('WF-9a: a line diff counts, and a final newline ends a line', () => {
    const write = (content: string, old?: string) =>
      lines('Write', { file_path: 'f', content }, old)
    expect(write('a\nb\n')).toEqual([2])
    expect(write('a\nb')).toEqual([2])
    expect(write('a\nX\nc\n', 'a\nb\nc\n')).toEqual([1])
    expect(write('a\nb\nc\n', 'b\nc\n')).toEqual([1])
  })

  test('WF-9a: replace_all counts every place', () => {
    const edit = { file_path: 'f', old_string: 'a', new_string: 'b' }
    expect(lines('Edit', edit, 'a\na\na\n')).toEqual([1])
    expect(lines('Edit', { ...edit, replace_all: true }, 'a\nx\na\na\n')).toEqual([3])
  })

  test('WF-9a: each file of a patch is one operation', () => {
    const command = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '@@',
      '-one',
      '+two',
      '+three',
      '*** Add File: b.ts',
      '+x',
      '*** End Patch',
    ].join('\n')
    expect(lines('apply_patch', { command }, 'one\n')).toEqual([2, 1])
  })
})

describe('the reason on top', () => {
  test('WF-14a: the run comes before the state, the state before shell and policy', () => {
    const policy = { deny: [{ capability: '*' }] }
    const rules = { allowed_tools: ['Read'], max_iterations: 1, allowed_commands: ['ls'] }
    const states = { a: { ...rules, on: { GO: 'b' } }, b: final }
    const played = play({ id: 'w', initial: 'a', policy, states } as never, { locked: true })
    const codes = (tool: string, input: object) =>
      call(played, tool, input).reasons.map((reason) => reason.code)
    expect(codes('Bash', { command: 'rm x' }).slice(0, 1)).toEqual(['tool_not_allowed'])
    expect(codes('Bash', { command: 'rm x' }).at(-1)).toBe('policy_denied')
    played.pause({ kind: 'person', id: 'ann' } as never)
    const [first] = codes('Bash', { command: 'rm x' })
    expect(first).toBe('run_paused')
  })

  test('WF-14a: the count of calls comes before edits, and those before the policy', () => {
    const policy = { deny: [{ capability: 'edit' }] }
    const rules = { allowed_tools: ['Edit', 'Read'], max_iterations: 1, max_edit_lines: 1 }
    const states = { a: { ...rules, on: { GO: 'b' } }, b: final }
    const played = play({ id: 'w', initial: 'a', policy, states } as never)
    expect(played.tool('Read')).toBe('allow')
    const input = { file_path: 'f', old_string: 'a\nb', new_string: 'c\nd' }
    const codes = call(played, 'Edit', input).reasons.map((reason) => reason.code)
    expect(codes).toEqual(['iterations_exhausted', 'edit_too_large', 'policy_denied'])
  })
})

describe('after the end', () => {
  test('WF-15a: an ended run restricts nothing, and in strict mode allows nothing', () => {
    const definition = {
      id: 'w',
      initial: 'a',
      states: { a: { allowed_tools: [], on: { GO: 'b' } }, b: final },
    } as never
    const done = play(definition)
    expect(done.tool('Write')).toBe('tool_not_allowed')
    done.send('GO')
    expect(done.tool('Write')).toBe('allow')
    const stopped = play(definition)
    stopped.stop()
    expect(stopped.tool('Write')).toBe('allow')
    const strict = play(definition, { strict: true })
    strict.send('GO')
    expect(strict.tool('Write')).toBe('no_active_run')
  })

  test('WF-15a: what a policy of the role says still holds', () => {
    const played = play({ id: 'w', initial: 'a', states: { a: final } } as never)
    const reason = {
      code: 'policy_denied',
      message: { phrase: 'policy_unmatched' },
      path: 'deny.0',
    } as const
    const external = [{ source: 'role', kind: 'deny', reasons: [reason] }] as const
    expect(played.tool('Write', { more: { external } })).toBe('policy_denied')
  })
})
