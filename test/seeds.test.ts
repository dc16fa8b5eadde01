import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkDefinition, type JsonObject, parseDefinition } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'seeds')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const known = () => undefined

/** Findings as lines: place, code and path say which rule spoke of what. */
function findingsOf(input: string | JsonObject): string[] {
  const { findings } = checkDefinition(input, { known })
  return findings.map(({ line, column, severity, code, path }) => {
    const where = line === undefined ? '' : `${line}:${column} `
    return `${where}${severity} ${code} ${path.join('.')}`
  })
}

describe('WF-1, WF-3: each whole example parses and has the findings one would expect', () => {
  test('the minimal example has none', () => {
    expect(findingsOf(read('minimal.json'))).toEqual([])
  })

  test('the example with guards reads a field before anything can set it', () => {
    expect(findingsOf(read('guards.json'))).toEqual([
      '15:20 warning guard_field_unset states.testing.on.DEPLOY.guard',
    ])
  })

  test('the complete reference asks for an approval that nobody waits for', () => {
    expect(findingsOf(read('complete.json'))).toEqual([
      '59:32 warning approval_mode_none states.deploying.on.DONE.requires_approval',
    ])
  })

  test('PR-1: the deploy gate has none', () => {
    expect(findingsOf(read('deploy-gate.json'))).toEqual([])
    expect(parseDefinition(read('deploy-gate.json')).kind).toBe('process')
  })

  test('PR-1: a process as the API stores it has none', () => {
    expect(findingsOf(read('stored-process.json'))).toEqual([])
  })
})

const fragments: Record<string, JsonObject> = JSON.parse(read('fragments.json'))

/** Names that a fragment leaves to the reader are added: states as ends, guards on set fields. */
const completions: Readonly<Record<string, { ends: string[]; guards?: string[] }>> = {
  states: { ends: ['implementing', 'failed'] },
  'interrupts in short': { ends: ['failed'] },
  'fork in short': { ends: ['deploying', 'failed', 'lint_done', 'types_done'] },
  'guards in short': { ends: ['deploying'] },
  context: { ends: ['end'] },
  'final states': { ends: [] },
  allowed_tools: { ends: ['implementing'] },
  instructions: { ends: ['testing'] },
  max_iterations: { ends: ['implementing'] },
  safe_next: { ends: ['implementing', 'failed'] },
  allowed_commands: { ends: ['complete', 'debugging'] },
  'blocked_env and env_overrides': { ends: ['complete'] },
  'max_edit_lines and max_files_per_state': { ends: ['testing'] },
  context_budget_bytes: { ends: ['implementing'] },
  'pattern 1: simple': { ends: ['implementing', 'failed'] },
  'pattern 2: guarded': { ends: ['deploying'], guards: ['tests_passed'] },
  'pattern 2: several guards': {
    ends: ['deploying'],
    guards: ['tests_passed', 'coverage_adequate'],
  },
  'pattern 3: branched': {
    ends: ['deploying', 'improving', 'failed'],
    guards: ['coverage_high', 'coverage_low'],
  },
  'pattern 4: invoke': { ends: ['deploying', 'debugging'] },
  'pattern 5: fork': {
    ends: ['deploying', 'failed', 'lint_done', 'types_done', 'security_done'],
  },
  interrupts: { ends: ['testing', 'failed'] },
  'guard definitions': { ends: ['end'] },
  'guard timing': { ends: ['pre_deploy'] },
  meta: { ends: ['end'] },
}

/** States that a fork's branches work in, and which a fragment does not show. */
const workStates: Readonly<Record<string, string[]>> = {
  'fork in short': ['lint_run', 'types_run'],
  'pattern 5: fork': ['lint_run', 'types_run', 'security_run'],
}

function completed(name: string): JsonObject {
  const fragment = fragments[name] ?? {}
  const { ends, guards = [] } = completions[name] ?? { ends: [] }
  const states: Record<string, JsonObject> = { ...(fragment.states as Record<string, JsonObject>) }
  for (const work of workStates[name] ?? []) states[work] = {}
  for (const end of ends) states[end] = { type: 'final' }
  const added = guards.map((guard) => [guard, { field: 'score', op: 'gte', value: 0 }])
  return {
    id: 'fragment',
    initial: Object.keys(states)[0] ?? '',
    ...(guards.length > 0 ? { guards: Object.fromEntries(added), context: { score: 1 } } : {}),
    ...fragment,
    states,
  }
}

/** What the fragments are found guilty of, written out; those not named here have no findings. */
const expected: Readonly<Record<string, string[]>> = {
  'guards in short': [
    'warning guard_field_unset guards.tests_passed.field',
    'warning guard_field_unset states.start.on.DEPLOY.guard',
  ],
  'final states': ['warning unreachable_state states.failed'],
  'pattern 2: several guards': [
    'warning approval_mode_none states.start.on.DEPLOY.requires_approval',
  ],
  'pattern 4: invoke': ['warning unknown_workflow states.start.on.RUN_TESTS.invoke'],
  'guard definitions': [
    'warning guard_field_unset guards.tests_passed.field',
    'warning guard_field_unset guards.coverage_adequate.field',
  ],
  'guard timing': [
    'warning guard_field_unset guards.tests_still_pass.field',
    'warning guarded_dead_end states.refactoring.on',
  ],
  meta: ['warning approval_never_asked meta.requires_human_approval'],
}

describe('WF-1, WF-3: each fragment, completed, has the findings one expects', () => {
  test('every fragment is completed', () => {
    expect(Object.keys(completions)).toEqual(Object.keys(fragments))
  })

  test.each(Object.keys(fragments))('%s', (name) => {
    expect(findingsOf(completed(name))).toEqual(expected[name] ?? [])
  })

  test.each(Object.keys(fragments))('%s gives the same as text', (name) => {
    const written = completed(name)
    const fromText = parseDefinition(JSON.stringify(written, null, 2))
    expect(fromText.definition).toEqual(parseDefinition(written).definition)
    expect(fromText.definition).toEqual(written)
  })
})
