import { describe, expect, test } from 'vitest'
import { isOwnTool, ownToolNames } from './own-tools.ts'
import { type ToolRef, toolRef } from './tool-names.ts'
import { allowsTool, compileToolList, shellPatterns, toolEntryFault } from './tool-pattern.ts'

describe('a list of allowed tools', () => {
  test('WF-5: without a list every tool passes, with an empty one none', () => {
    expect(allowsTool(compileToolList(undefined), { tool: 'Bash' })).toBe(true)
    expect(allowsTool(compileToolList([]), { tool: 'Bash' })).toBe(false)
    expect(allowsTool(compileToolList([]), { tool: '' })).toBe(false)
  })

  test.each<[string, string, boolean]>([
    ['Read', 'read_file', true],
    ['read_file', 'Read', true],
    ['apply_patch', 'replace', true],
    ['Read', 'READ', false],
    ['Read', 'Read2', false],
    ['Bash', 'shell', true],
    ['*', 'anything', true],
    ['*', 'mcp__a__b', true],
    ['mcp__github__*', 'mcp__github__create_issue', true],
    ['mcp__github__*', 'mcp__githubx__create_issue', false],
    ['mcp__github__*', 'mcp__github', true],
    ['mcp__github__*', 'github', false],
    ['mcp__github__get_*', 'mcp__github__get_issue', true],
    ['mcp__github__get_*', 'mcp__github__getissue', false],
    ['mcp__github__get', 'mcp__github__get_issue', false],
    ['mcp__github__get', 'github.get', true],
    ['github.*', 'mcp__github__get', true],
    ['mcp__*', 'mcp__any__tool', true],
    ['mcp__*', 'Read', false],
    ['mcp__gh*', 'mcp__ghost__x', true],
    ['Web*', 'web_fetch', true],
    ['s*', 'shell', false],
    ['s*', 'mcp__s__t', false],
    ['Bash(git log *)', 'Bash', false],
    ['Bash(*)', 'Bash', true],
    ['Read(src/**)', 'Read', false],
    ['mcp__*__read', 'mcp__a__read', false],
    ['constructor', 'toString', false],
  ])('WF-6: %s for %s: %s', (entry, name, allowed) => {
    expect(allowsTool(compileToolList([entry]), toolRef(name))).toBe(allowed)
  })

  test.each<[string, ToolRef]>([
    ['mcp__github__*', { server: 'github__evil', tool: 'x' }],
    ['mcp__github__x', { tool: '6:githubx' }],
    ['mcp__github__x', { tool: 'github\0x' }],
    ['mcp__ab__c', { server: 'a', tool: 'bc' }],
    ['Read', { server: 'other', tool: 'Read' }],
  ])('WF-6: %s does not cover %j', (entry, ref) => {
    expect(allowsTool(compileToolList([entry]), ref)).toBe(false)
  })

  test('WF-6: commands in a list are kept for the shell, and moot where it is allowed', () => {
    const entries = ['Bash(git log *)', 'shell(git diff:*)', 'Bash( npm  test )', 'Bash(ls *x)']
    const patterns = [
      { words: ['git', 'log'], exact: false },
      { words: ['git', 'diff'], exact: false },
      { words: ['npm', 'test'], exact: true },
    ]
    expect(shellPatterns(compileToolList(entries))).toEqual(patterns)
    expect(shellPatterns(compileToolList([...entries, 'run_shell_command']))).toEqual([])
    expect(shellPatterns(compileToolList(undefined))).toEqual([])
  })

  test('WF-6: an entry that could never match is named as a mistake', () => {
    const faulty = ['', 'Read(src/**)', 'Bash()', 'Bash(a*b)', 'a*b', 'Read Write', 'mcp__github']
    expect(faulty.filter((entry) => toolEntryFault(entry) === undefined)).toEqual([])
    const sound = ['*', 'Read', 'mcp__github__*', 'Bash(git log *)', 'Bash(*)', 'my-tool']
    expect(sound.filter((entry) => toolEntryFault(entry) !== undefined)).toEqual([])
  })
})

describe('our own tools', () => {
  test('WF-7: exact names from our server are ours', () => {
    expect(ownToolNames.every((tool) => isOwnTool({ tool }, true))).toBe(true)
  })

  test.each<[string, ToolRef, boolean]>([
    ['another server uses the name', { server: 'evil', tool: 'statewright_transition' }, false],
    ['one behind our gateway does', { server: 'evil', tool: 'statewright_transition' }, true],
    ['the name comes from elsewhere', { tool: 'statewright_transition' }, false],
    ['it only contains the word', { tool: 'my_statewright_transition' }, true],
    ['it only begins so', { tool: 'statewright_transition_all' }, true],
    ['the case differs', { tool: 'Statewright_transition' }, true],
    ['it is a prototype key', { tool: 'constructor' }, true],
  ])('WF-7: not ours when %s', (_why, ref, cameFromUs) => {
    expect(isOwnTool(ref, cameFromUs)).toBe(false)
  })
})
