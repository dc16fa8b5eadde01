import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Claim,
  checkDefinition,
  compileProgram,
  definitionIn,
  describeFor,
  proverOf,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'

const seeds = join(import.meta.dirname, '../seeds')

function answer(name: string, claim: Claim): string {
  const text = readFileSync(join(seeds, name), 'utf8')
  const definition = definitionIn(checkDefinition(text, { format: 'json' }))
  if (definition === undefined) throw new Error(`${name} cannot be read`)
  const compiled = compileProgram(definition)
  if (!compiled.ok) throw new Error(`${name} cannot be compiled`)
  const program = compiled.value
  const describe = (call: Parameters<typeof describeFor>[1]) =>
    describeFor(program, call, { root: '/work' })
  const found = proverOf(program, { describe, claims: [claim] }).prove(claim)
  return found.ok ? found.value.verdict : found.error
}

const apply = { tool: 'Bash', input: { command: 'kubectl apply -f app.yaml' } }

describe("the documents' own examples", () => {
  test.each([
    ['proved', { never: { enter: 'deploying' }, unless: { visited: 'testing' } }],
    ['proved', { never: { call: apply }, in: ['planning', 'testing', 'fixing'] }],
    ['refuted', { never: { call: apply } }],
    ['proved', { can_always_reach: [] }],
    ['refuted', { never: { enter: 'complete' }, unless: { approval: true } }],
    [
      'There is no piece of evidence "tests".',
      { never: { enter: 'deploying' }, unless: { evidence: 'tests' } },
    ],
  ] satisfies [string, Claim][])(
    'PV-4: of deploy-pipeline the guide says %s: %j',
    (verdict, claim) => {
      expect(answer('complete.json', claim)).toBe(verdict)
    },
  )

  const edit = { tool: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } }

  test.each([
    ['guards.json', 'proved', { never: { enter: 'deploying' } }],
    ['guards.json', 'refuted', { can_always_reach: ['complete'] }],
    ['minimal.json', 'proved', { never: { call: edit } }],
    ['minimal.json', 'proved', { can_always_reach: ['complete'] }],
  ] satisfies [string, string, Claim][])(
    'PV-4: of %s the guide says %s: %j',
    (name, verdict, claim) => {
      expect(answer(name, claim)).toBe(verdict)
    },
  )

  test('PV-4: the gate of the documents stays shut until its questions are answered', () => {
    expect(answer('deploy-gate.json', { can_always_reach: [] })).toBe('proved')
  })
})
