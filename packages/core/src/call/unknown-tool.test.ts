import { describe, expect, test } from 'vitest'
import { resembles } from './tool-names.ts'

describe('WF-6e: a tool that no client is known to have', () => {
  test.each([
    ['terminal', { command: 'rm -rf src' }, 'shell'],
    ['execute_bash', { cmd: ['rm', '-rf', 'src'] }, 'shell'],
    ['js_repl', { code: 'fs.rmSync("src")' }, 'shell'],
    ['Bash ', { command: 'ls' }, 'shell'],
    ['insert_edit_into_file', { filePath: 'a.ts', code: 'x' }, 'shell'],
    ['apply_diff', { path: 'a.ts', diff: '@@' }, 'editor'],
    ['ApplyPatch', { patch: '*** Begin Patch' }, 'editor'],
    ['str_replace_all', { file_path: 'a.ts', new_string: 'b' }, 'editor'],
    ['save', { 'target-file': 'a.ts', contents: 'b' }, 'editor'],
  ])('%s %j resembles a %s', (tool, input, what) => {
    expect(resembles({ tool }, input)).toBe(what)
  })

  test.each([
    ['ExitPlanMode', { plan: 'first this, then that' }],
    ['remember', { content: 'the person likes tea' }],
    ['open_file', { path: 'a.ts' }],
    ['ask_user', { questions: [] }],
    ['odd', 'command'],
  ])('%s %j resembles neither', (tool, input) => {
    expect(resembles({ tool }, input)).toBeUndefined()
  })

  test('known tools and tools of servers are judged by what is known of them', () => {
    expect(resembles({ tool: 'Bash' }, { command: 'ls' })).toBeUndefined()
    expect(resembles({ tool: 'shell' }, { command: 'ls' })).toBeUndefined()
    expect(resembles({ tool: 'run', server: 'ci' }, { command: 'ls' })).toBeUndefined()
  })
})
