import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capabilityOf, toolRef } from '../call/tool-names.ts'
import { capabilityFault, compileCapability, matchesCapability } from './capability.ts'

describe('capability patterns', () => {
  test.each([
    ['bash', 'bash', true],
    ['Bash', 'bash', true],
    ['run_shell_command', 'bash', true],
    ['bash', 'bashful', false],
    ['mcp:*', 'mcp:filesystem:read', true],
    ['mcp:*', 'mcpx', false],
    ['mcp:filesystem:*', 'mcp:filesystem:write_file', true],
    ['mcp:filesystem:*', 'mcp:filesystem2:write_file', false],
    ['mcp:filesystem:write_file', 'mcp:filesystem:write_file', true],
    ['mcp:filesystem:write_file', 'mcp:filesystem:write_file2', false],
    ['mcp:resend:*', 'mcp:resend:send', true],
    ['mcp:fs', 'mcp:fsx', false],
    ['mcp:fs', 'mcp:fs:read', false],
    ['mcp:fs:read_*', 'mcp:fs:read_file', true],
    ['mcp:fs:read_*', 'mcp:fs:read', false],
    ['mcp.fs.read', 'mcp:fs:read', true],
    ['mcp.fs:*', 'mcp:fs:read', true],
    ['mcp__fs__read', 'mcp:fs:read', true],
    ['mcp__fs__*', 'mcp:fs:read', true],
    ['mcp__fs__*', 'mcp:fsx:read', false],
    ['fs__read', 'mcp:fs:read', true],
    ['fs__*', 'mcp:fs:read', true],
    ['fs__*', 'mcp:fsx:read', false],
    ['fs__re*', 'mcp:fs:read', true],
    ['my_fs__read__all', 'mcp:my_fs:read__all', true],
    ['fs.read', 'mcp:fs:read', true],
    ['fs.*', 'mcp:fs:read', true],
    ['MCP:fs:*', 'mcp:fs:read', true],
    ['mcp:fs:Read', 'mcp:fs:read', false],
    ['*', 'anything', true],
    ['web*', 'webfetch', true],
    ['Web*', 'websearch', true],
    ['constructor', 'bash', false],
  ])('PO-3: %s for %s: %s', (pattern, capability, matches) => {
    expect(matchesCapability(compileCapability(pattern), capability)).toBe(matches)
  })

  test('PO-3: bash covers every shell of every client', () => {
    const shells = ['Bash', 'bash', 'shell', 'Shell', 'run_command', 'exec_command', 'Monitor']
    const bash = compileCapability('bash')
    const covered = shells.filter((tool) => matchesCapability(bash, capabilityOf(toolRef(tool))))
    expect(covered).toEqual(shells)
  })

  test('PO-3: a pattern without a star matches the capability it names and no other', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9_-]{1,6}$/)
    const path = fc.tuple(part, part).map(([server, tool]) => `mcp:${server}:${tool}`)
    fc.assert(
      fc.property(path, path, (one, other) => {
        const pattern = compileCapability(one)
        expect(matchesCapability(pattern, one)).toBe(true)
        expect(matchesCapability(pattern, other)).toBe(one === other)
        expect(matchesCapability(pattern, `${one}:more`)).toBe(false)
      }),
    )
  })

  test('PO-3: a pattern that would not do what it seems to say is named', () => {
    const faulty = [
      'mcp',
      'mcp:fs',
      'mcp::x',
      'mcp:*:read',
      'a*b',
      'bash:*',
      'bash:x',
      'bash.*',
      'Read.x',
      'fs:read',
      ':',
    ]
    expect(faulty.filter((pattern) => capabilityFault(pattern) === undefined)).toEqual([])
    const sound = [
      '*',
      'bash',
      'mcp:*',
      'mcp*',
      'mcp:fs:*',
      'mcp:fs:a.b',
      'mcp__fs__x',
      'web*',
      'my-tool',
      'fs.*',
      'container.exec',
    ]
    expect(sound.filter((pattern) => capabilityFault(pattern) !== undefined)).toEqual([])
  })
})
