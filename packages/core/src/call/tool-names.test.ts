import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalTool,
  capabilityOf,
  displayTool,
  judgedTool,
  type ToolRef,
  toolAliases,
  toolRef,
} from './tool-names.ts'

describe('the alias table', () => {
  test.each([
    ['Claude Code', 'Read Edit Write Bash Agent Monitor', 'Read Edit Write Bash Agent Bash'],
    ['Codex', 'apply_patch Bash exec_command spawn_agent', 'Edit Bash Bash Agent'],
    [
      'Gemini',
      'read_file grep_search glob replace write_file run_shell_command invoke_agent',
      'Read Grep Glob Edit Write Bash Agent',
    ],
    [
      'opencode',
      'read grep glob edit write bash task webfetch',
      'Read Grep Glob Edit Write Bash Agent WebFetch',
    ],
    ['Copilot', 'view grep glob edit create bash task', 'Read Grep Glob Edit Write Bash Agent'],
    ['Cursor', 'Shell Read Write Task', 'Bash Read Write Agent'],
    [
      'the rule itself',
      'MultiEdit edit_file shell run_command search list_files',
      'Edit Edit Bash Bash Grep Glob',
    ],
  ])('WF-6: the names of %s', (_client, names, canonical) => {
    expect(names.split(' ').map(canonicalTool)).toEqual(canonical.split(' '))
  })

  test('WF-6: no name stands for two tools', () => {
    const all = Object.entries(toolAliases).flat(2)
    expect(new Set(all).size).toBe(all.length)
    expect(
      all.filter((name) => judgedTool({ tool: name.toUpperCase() }) !== canonicalTool(name)),
    ).toEqual([])
  })

  test.each([
    '',
    ' Bash',
    'Bash ',
    'BASH',
    'Bаsh', // Cyrillic а
    'tas\u212a', // Kelvin sign, which lower-cases to k
    'Read\0',
    'Rea\u0064\u0301',
    'constructor',
    '__proto__',
    'toString',
    'Bash'.repeat(100_000),
  ])('WF-6: %j is no known name and stands for itself', (name) => {
    expect(canonicalTool(name)).toBe(name)
  })

  test('WF-6: another spelling of a shell is on no list but is judged as a shell', () => {
    expect(judgedTool({ tool: 'BASH' })).toBe('Bash')
    expect(judgedTool({ tool: 'tas\u212a' })).toBeUndefined()
    expect(judgedTool({ tool: 'Bash', server: 'other' })).toBeUndefined()
  })
})

describe('tools of MCP servers', () => {
  test.each<[string, string | undefined, ToolRef]>([
    ['mcp__github__create_issue', undefined, { server: 'github', tool: 'create_issue' }],
    ['mcp__plugin_p_s__t', undefined, { server: 'plugin_p_s', tool: 't' }],
    ['mcp__a__b__c', undefined, { server: 'a', tool: 'b__c' }],
    ['mcp__a__b__c', 'a__b', { server: 'a__b', tool: 'c' }],
    ['filesystem.write_file', undefined, { server: 'filesystem', tool: 'write_file' }],
    ['write_file', 'filesystem', { server: 'filesystem', tool: 'write_file' }],
    ['mcp_github_x', 'github', { server: 'github', tool: 'mcp_github_x' }],
    ['mcp__github', undefined, { server: 'github', tool: '' }],
    ['container.exec', undefined, { tool: 'container.exec' }],
    ['.hidden', undefined, { tool: '.hidden' }],
    ['write_file', undefined, { tool: 'write_file' }],
  ])('PO-3: %s of server %s', (name, server, ref) => {
    expect(toolRef(name, server)).toEqual(ref)
  })

  test.each<[ToolRef, string]>([
    [{ server: 'filesystem', tool: 'write_file' }, 'mcp:filesystem:write_file'],
    [{ server: 'my.server', tool: 'issues.create' }, 'mcp:my:server:issues:create'],
    [{ server: 'fs', tool: 'Bash' }, 'mcp:fs:Bash'],
    [{ tool: 'Read' }, 'read'],
    [{ tool: 'run_shell_command' }, 'bash'],
    [{ tool: 'Monitor' }, 'bash'],
    [{ tool: 'SHELL' }, 'bash'],
    [{ tool: 'Functions.Exec' }, 'functions:exec'],
    [{ tool: 'WebFetch' }, 'webfetch'],
    [{ tool: 'spawn_agent' }, 'agent'],
    [{ tool: 'ExitPlanMode' }, 'exitplanmode'],
    [{ tool: 'tas\u212a' }, 'tas\u212a'],
    [{ tool: '__proto__' }, '__proto__'],
  ])('PO-3: the capability of %j is %s', (ref, capability) => {
    expect(capabilityOf(ref)).toBe(capability)
  })

  test('PO-3: a name that begins like one of an MCP server always has an mcp capability', () => {
    fc.assert(
      fc.property(fc.string(), (rest) => {
        expect(capabilityOf(toolRef(`mcp__${rest}`))).toMatch(/^mcp:/)
      }),
    )
  })

  test('PO-3: the name shown to people reads back as the same tool', () => {
    const ref = { server: 'github', tool: 'create_issue' }
    expect(displayTool(ref)).toBe('mcp__github__create_issue')
    expect(toolRef(displayTool(ref))).toEqual(ref)
  })
})
