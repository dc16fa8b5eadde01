import { describe, expect, test } from 'vitest'
import { resembles } from '../call/tool-names.ts'
import { play } from '../reduce/play.test-kit.ts'

const working = (rules: string, more = '') =>
  play(`
    id: w
    initial: s
    ${more}
    states:
      s: {${rules}, on: {GO: z}}
      z: {type: final}
  `)

/** What is told of a call with this input. */
function described(tool: string, input: object) {
  const like = resembles({ tool }, input)
  return like === undefined ? {} : { resembles: like }
}

const interrupt = 'interrupts: {guard: {trigger: {file_pattern: "a/**"}, target: s}}'

describe('WF-6e: tools of a name that no client is known to use', () => {
  test.each([
    ['allowed_commands: [npm test]', 'terminal', { command: 'rm -rf src' }, 'shell_unreadable'],
    ['allowed_commands: [npm test]', 'Bash ', { command: 'rm -rf src' }, 'shell_unreadable'],
    ['blocked_env: [KEY]', 'js_repl', { code: 'process.env.KEY' }, 'shell_unreadable'],
    ['max_edit_lines: 5', 'apply_diff', { path: 'a', diff: '@@' }, 'edit_unreadable'],
    ['max_files_per_state: 1', 'ApplyPatch', { patch: 'x' }, 'edit_unreadable'],
    ['max_edit_lines: 5', 'terminal', { command: 'rm -rf src' }, 'edit_unreadable'],
    ['max_iterations: 5', 'terminal', { command: 'rm -rf src' }, 'allow'],
    ['max_edit_lines: 5', 'remember', { content: 'tea' }, 'allow'],
    [
      'allowed_tools: [terminal], allowed_commands: [npm test]',
      'terminal',
      { command: 'x' },
      'allow',
    ],
  ])('with %s %s %j: %s', (rules, tool, input, answer) => {
    expect(working(rules).tool(tool, described(tool, input))).toBe(answer)
  })

  test('where an interrupt watches files, an unknown editor may not pass it by', () => {
    const run = working('max_iterations: 9', interrupt)
    const facts = described('save_as', { path: 'a/b', content: 'x' })
    expect(run.tool('save_as', facts)).toBe('edit_unreadable')
  })
})
