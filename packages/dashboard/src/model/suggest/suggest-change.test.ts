import {
  compileProgram,
  describeCall,
  type Program,
  parseWorkflow,
  type RunSnapshot,
  reduceRun,
  startRun,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { readField } from '../text/edit-text.ts'
import { type DeniedCall, type Suggestion, suggestChange } from './suggest-change.ts'

const base = `# Rules of the house.
id: house
initial: work
states:
  work:
    allowed_tools: [Read] # look only
    on: { DONE: over }
  over: { type: final }
`
const by = { kind: 'agent', id: 'claude' } as const

function compile(text: string): Program | null {
  const { definition } = parseWorkflow(text)
  if (definition === undefined) return null
  const compiled = compileProgram({ kind: 'workflow', definition })
  return compiled.ok ? compiled.value : null
}

function work(fields: string): string {
  return base.replace('    allowed_tools: [Read] # look only\n', fields)
}

/** Makes calls one after the other; the last has to be denied. */
function denied(text: string, calls: readonly [string, unknown][], strict = false): DeniedCall {
  const program = compile(text)
  if (program === null) throw new Error('the definition does not compile')
  let run: RunSnapshot = startRun(program, {
    type: 'started',
    hash: program.hash,
    at: 0,
    by,
    strict,
  }).run
  for (const [index, [tool, input]] of calls.entries()) {
    const call = describeCall({ id: `c${index}`, tool, input }, { root: '/w' })
    const event = {
      type: 'tool_requested',
      call,
      approvalId: `a${index}`,
      approvalExpiresAt: 1000,
      at: 1,
      by,
    } as const
    const step = reduceRun(program, run, event)
    const { answer } = step
    if (answer.type === 'decided' && answer.decision.kind === 'deny') {
      return { run, call, by, at: 1, reasons: answer.decision.reasons }
    }
    const done = { type: 'tool_finished', callId: call.id, bytes: 20_000, exit: 'success' } as const
    run = reduceRun(program, step.run, { ...done, source: 'observed', at: 1, by }).run
  }
  throw new Error('no call was denied')
}

function suggested(text: string, calls: readonly [string, unknown][], strict = false) {
  const suggestion = suggestChange(text, compile, denied(text, calls, strict))
  if (suggestion.kind !== 'change') throw new Error(JSON.stringify(suggestion))
  // Whatever is offered, the call is let through afterwards, and the author's words are kept.
  expect(() => denied(suggestion.text, calls, strict)).toThrow('no call was denied')
  expect(suggestion.text).toContain('# Rules of the house.')
  return suggestion
}

function fieldIn(suggestion: Extract<Suggestion, { kind: 'change' }>, name: string): unknown {
  return readField(suggestion.text, ['states', 'work', name])
}

const shell = (command: string): [string, unknown] => ['Bash', { command }]
const write = (file: string, lines: number): [string, unknown] => [
  'Write',
  { file_path: file, content: 'x\n'.repeat(lines) },
]

describe('the smallest change that allows a denied call', () => {
  test('tool_not_allowed: the tool is added to the list of its state', () => {
    const made = suggested(base, [['Grep', { pattern: 'x' }]])
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Read', 'Grep'])
    expect(made.text).toContain('allowed_tools: [Read, Grep] # look only')
    expect(made.changes).toEqual([
      {
        path: ['states', 'work', 'allowed_tools'],
        what: 'Add Grep to the tools of work',
        alsoAllows: 'every call of Grep in work, whatever its arguments',
      },
    ])
  })

  test('tool_not_allowed: of a shell only the one command is opened', () => {
    const made = suggested(base, [shell('npm run lint')])
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Read', 'Bash(npm run lint)'])
    expect(made.changes[0]?.alsoAllows).toContain('this exact command')
  })

  test('tool_not_allowed: where commands are listed, the list holds the shell', () => {
    const text = work('    allowed_tools: [Read]\n    allowed_commands: []\n')
    const made = suggested(text, [shell('npm run lint')])
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Read', 'Bash'])
    expect(fieldIn(made, 'allowed_commands')).toEqual(['npm run lint'])
  })

  test('tool_not_allowed: an edit needs what it does', () => {
    const made = suggested(base, [write('a.ts', 1)])
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Read', 'Write'])
    const server = suggested(base, [['mcp__github__list_issues', {}]])
    expect(fieldIn(server, 'allowed_tools')).toEqual(['Read', 'mcp__github__list_issues'])
  })

  test('tool_not_allowed: in strict mode a list is begun', () => {
    const made = suggested(work(''), [['Read', { file_path: 'a' }]], true)
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Read'])
  })

  test('command_not_allowed: every command that is not listed is added', () => {
    const text = work(
      '    allowed_tools: [Bash]\n    allowed_commands:\n      - npm test # quick\n',
    )
    const made = suggested(text, [shell('npm test && npm run lint -- --fix')])
    expect(fieldIn(made, 'allowed_commands')).toEqual(['npm test', 'npm run lint -- --fix'])
    expect(made.text).toContain('- npm test # quick')
    expect(made.changes[0]?.alsoAllows).toBe(
      '`npm run lint -- --fix` in work with any further arguments',
    )
  })

  test('command_not_allowed: a pattern gets another beside it', () => {
    const made = suggested(work('    allowed_tools: [Bash(git log *)]\n'), [shell('git status')])
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Bash(git log *)', 'Bash(git status)'])
  })

  test('shell_write: writing is opened', () => {
    const made = suggested(work('    allowed_tools: [Read, Bash]\n'), [shell('echo hi > out.txt')])
    expect(fieldIn(made, 'allowed_tools')).toEqual(['Read', 'Bash', 'Write'])
    expect(made.changes[0]?.alsoAllows).toContain('writing any file')
  })

  test('shell_background: background work is opened', () => {
    const text = work('    allowed_tools: [Bash]\n    allowed_commands: [sleep]\n')
    expect(fieldIn(suggested(text, [shell('sleep 5 &')]), 'background')).toBe(true)
  })

  test('env_blocked: the variable is taken out of the list', () => {
    const text = work('    blocked_env: [TOKEN, KEY]\n')
    const made = suggested(text, [shell('echo $TOKEN')])
    expect(fieldIn(made, 'blocked_env')).toEqual(['KEY'])
    const last = suggested(work('    deny_env: [TOKEN]\n'), [shell('echo $TOKEN')])
    expect(fieldIn(last, 'deny_env')).toBeUndefined()
  })

  test('edit_too_large: the limit is raised to what the edit has', () => {
    const made = suggested(work('    max_edit_lines: 3\n'), [write('a.ts', 12)])
    expect(fieldIn(made, 'max_edit_lines')).toBe(12)
    expect(made.changes[0]?.alsoAllows).toBe('every edit in work up to 12 lines')
  })

  test('too_many_files, iterations_exhausted, context_budget_exhausted: limits are raised', () => {
    const files = suggested(work('    max_files_per_state: 1\n'), [write('a', 1), write('b', 1)])
    expect(fieldIn(files, 'max_files_per_state')).toBe(2)
    const calls: [string, unknown][] = [1, 2, 3].map((each) => ['Read', { file_path: `${each}` }])
    const more = suggested(work('    max_iterations: 2\n'), calls)
    expect(fieldIn(more, 'max_iterations')).toBe(3)
    const bytes = suggested(work('    context_budget_bytes: 30000\n'), calls)
    expect(fieldIn(bytes, 'context_budget_bytes')).toBe(50_000)
  })

  test('several rules at once: all of them give way together', () => {
    const text = work('    allowed_tools: [Read]\n    max_edit_lines: 2\n')
    const made = suggested(text, [write('a.ts', 9)])
    expect(made.changes.map(({ what }) => what)).toEqual([
      'Add Write to the tools of work',
      'Raise max_edit_lines of work to 9',
    ])
  })

  test('JSON is edited as well', () => {
    const json = JSON.stringify({
      id: 'house',
      initial: 'work',
      states: { work: { allowed_tools: ['Read'], on: { DONE: 'over' } }, over: { type: 'final' } },
      meta: { '# Rules of the house.': true },
    })
    expect(fieldIn(suggested(json, [['Grep', {}]]), 'allowed_tools')).toEqual(['Read', 'Grep'])
  })
})

describe('where no rule should give way', () => {
  test('shell_unreadable: the command has to change', () => {
    const text = work('    allowed_tools: [Bash]\n    allowed_commands: [npm test]\n')
    const answer = suggestChange(text, compile, denied(text, [shell('eval "$x"')]))
    expect(answer).toMatchObject({ kind: 'none' })
    expect(answer.kind === 'none' && answer.help.join(' ')).toContain('plain names')
  })

  test('policy_denied: the policy says no, not the state', () => {
    const text = `${base}policy: { deny: [{ capability: grep }], default: allow }\n`
    const opened = text.replace('[Read]', '[Read, Grep]')
    const answer = suggestChange(opened, compile, denied(opened, [['Grep', {}]]))
    expect(answer.kind === 'none' && answer.help.join(' ')).toContain('change the policy')
  })

  test('self_protection from outside is told, whatever the state would say', () => {
    const given = denied(base, [['Grep', {}]])
    const outside = { code: 'self_protection', message: 'no', path: '' } as const
    const answer = suggestChange(base, compile, { ...given, reasons: [...given.reasons, outside] })
    expect(answer.kind === 'change' && answer.help[0]).toContain('never change what guards it')
  })

  test('a version that allows it already says so', () => {
    const given = denied(base, [['Grep', {}]])
    const newer = base.replace('[Read]', '[Read, Grep]')
    expect(suggestChange(newer, compile, given)).toEqual({ kind: 'allowed' })
  })

  test('a way on is told beside the change', () => {
    const text = base
      .replace('{ DONE: over }', '{ DONE: over, DIG: digging }')
      .replace('  over:', '  digging: { allowed_tools: [Grep], on: { DONE: over } }\n  over:')
    const answer = suggestChange(text, compile, denied(text, [['Grep', {}]]))
    expect(answer.kind === 'change' && answer.help).toEqual([
      'Without any change the agent can get there by moving on: DIG → digging.',
    ])
  })

  test('a definition that lost the state of the run has no answer', () => {
    const given = denied(base, [['Grep', {}]])
    const renamed = base.replaceAll('work', 'labour')
    const lost = suggestChange(renamed, compile, given)
    expect(lost.kind === 'none' && lost.help[0]).toContain('no longer has this state')
    const broken = suggestChange('id: [', compile, given)
    expect(broken.kind === 'none' && broken.help[0]).toContain('fix its findings')
  })
})
