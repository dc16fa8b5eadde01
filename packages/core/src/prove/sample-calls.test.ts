import { describe, expect, test } from 'vitest'
import { describeFor } from '../decide/describe-call.ts'
import { program as compiled } from '../reduce/play.test-kit.ts'
import type { Claim } from './claim.ts'
import { proverOf } from './prove.ts'

function verdict(definition: string, claim: Claim) {
  const program = compiled(definition)
  const found = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
  }).prove(claim)
  if (!found.ok) throw new Error(found.error)
  return found.value.verdict
}

/** A detour for files under `db`, and a state that lets some tools through. */
const detour = (state: string, trigger = `file_pattern: 'db/**', shell: true`) => `
id: detour
initial: a
states:
  a: { ${state}, on: { GO: done } }
  handling: { on: { BACK: $return } }
  done: { type: final }
interrupts: { i: { trigger: { ${trigger} }, target: handling } }
`

describe('a file is changed', () => {
  test.each([
    'allowed_tools: [Edit]',
    'allowed_tools: [Write]',
    'allowed_tools: [NotebookEdit]',
    'allowed_tools: [mcp__fs__write_file]',
    'allowed_tools: [mcp__fs__edit_file]',
    'allowed_tools: [mcp__fs__move_file]',
    `allowed_tools: ['mcp__fs__*']`,
    `allowed_tools: ['mcp__fs__delete_*']`,
    `allowed_tools: ['mcp__f*']`,
    `allowed_tools: ['mcp__*']`,
    `allowed_tools: ['Bash(tee *)']`,
    `allowed_tools: ['Bash(cp *)']`,
    `allowed_tools: ['Bash(sed -i *)']`,
    `allowed_tools: ['Bash(rm *)']`,
    // It has an option that says where its output goes.
    `allowed_tools: ['Bash(git log *)']`,
    `allowed_tools: [Bash, Edit], allowed_commands: [npm test]`,
    `max_iterations: 3`,
  ])('PV-5: by whatever a state lets through: %s', (state) => {
    expect(verdict(detour(state), { never: { enter: 'handling' } })).toBe('refuted')
  })

  test('PV-5: by a tool that only the detour names', () => {
    const named = detour(
      `allowed_tools: ['mcp__*']`,
      `tool: mcp__fs__write_file, file_pattern: 'db/**'`,
    )
    expect(verdict(named, { never: { enter: 'handling' } })).toBe('refuted')
  })

  test('PV-5: by nothing that only reads', () => {
    for (const state of [
      'allowed_tools: [Read]',
      'allowed_tools: [Bash]',
      `allowed_tools: ['Bash(cat *)', 'Bash(git log)']`,
      'allowed_tools: [mcp__fs__read_file]',
    ])
      expect(verdict(detour(state), { never: { enter: 'handling' } })).toBe('proved')
  })
})
