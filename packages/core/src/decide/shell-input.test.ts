import { describe, expect, test } from 'vitest'
import { describeCall } from './describe-call.ts'

const unknownOf = (tool: string, input: unknown) =>
  describeCall({ id: 'c', tool, input }, { root: '/w' }).shell?.unknowns.map(({ what }) => what)

describe('shells that are not bash', () => {
  test.each([
    ['PowerShell', { command: 'Remove-Item -Recurse src' }],
    ['Bash', { command: 'ls', shell: 'pwsh' }],
    ['Bash', { command: 'dir', shell: String.raw`C:\Windows\System32\cmd.exe` }],
  ])('SH-2: %s with %j is not read', (tool, input) => {
    expect(unknownOf(tool, input)).toEqual(['syntax'])
  })

  test('SH-2: bash and its kin are read', () => {
    expect(unknownOf('Bash', { command: 'ls' })).toEqual([])
    expect(unknownOf('Bash', { command: 'ls', shell: '/bin/bash' })).toEqual([])
  })
})
