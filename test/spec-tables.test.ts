import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { codes } from '../packages/core/src/base/problem.ts'
import { compileGlob } from '../packages/core/src/call/glob.ts'
import { toolAliases } from '../packages/core/src/call/tool-names.ts'
import {
  guardOperators,
  Meta,
  metaFields,
  State,
  WorkflowDefinition,
} from '../packages/core/src/definition/workflow-schema.ts'
import { Policy, PolicyRule } from '../packages/core/src/policy/policy-schema.ts'
import { answerActions, ProcessDefinition } from '../packages/core/src/process/process-schema.ts'
import { codeWords, sectionOf, tableRows } from './markdown-table.ts'

const [workflow, surface, processes, policy] = ['workflow', 'surface', 'process', 'policy'].map(
  (name) => readFileSync(new URL(`../docs/spec/${name}.md`, import.meta.url), 'utf8'),
) as [string, string, string, string]

/** The names in the first column of the table that follows a bold title. */
function fieldsBelow(text: string, title: string, ...head: string[]): string[] {
  const rest = text.slice(text.indexOf(title))
  return tableRows(rest, ...head).flatMap(([cell = '']) => codeWords(cell))
}

describe('the tables of docs/spec say what the code says', () => {
  test('WF-6: the alias table', () => {
    const written = tableRows(workflow, 'tool', 'also called').map(([tool = '', names = '']) => [
      codeWords(tool)[0],
      codeWords(names),
    ])
    expect(Object.fromEntries(written)).toEqual(toolAliases)
  })

  test('WF-2: the fields of a workflow, a state and meta', () => {
    const sorted = (names: readonly string[]) => [...names].sort()
    expect(sorted(fieldsBelow(workflow, '**Top level**', 'field'))).toEqual(
      sorted(Object.keys(WorkflowDefinition.shape)),
    )
    expect(sorted(fieldsBelow(workflow, '**State**', 'field'))).toEqual(
      sorted(Object.keys(State.shape)),
    )
    expect(sorted(fieldsBelow(workflow, '**Meta**', 'field'))).toEqual(
      sorted(Object.keys(metaFields)),
    )
    expect(Meta.parse({ of_my_own: 1 })).toEqual({ of_my_own: 1 })
  })

  test('WF-18: the operators of guards', () => {
    expect(fieldsBelow(workflow, '**Guard**', 'op')).toEqual(guardOperators)
  })

  test('WF-30: the globs', () => {
    const table = tableRows(workflow, 'pattern', 'matches', 'does not match')
    expect(table).toHaveLength(5)
    for (const [pattern = '', yes = '', no = ''] of table) {
      const matches = compileGlob(codeWords(pattern)[0] ?? '')
      expect(codeWords(yes).filter((path) => !matches(path))).toEqual([])
      expect(codeWords(no).filter((path) => matches(path))).toEqual([])
    }
  })

  test('PR-1, PR-4: the fields of a process and the actions of an answer', () => {
    const fields = fieldsBelow(processes, '**Process**', 'field')
    expect([...fields, '$schema', 'meta'].sort()).toEqual(
      Object.keys(ProcessDefinition.shape).sort(),
    )
    const actions = fieldsBelow(processes, '**Answer**', 'action')
    expect(actions.sort()).toEqual([...answerActions].sort())
  })

  test('PO-2: the fields of a policy and its rules', () => {
    expect(fieldsBelow(policy, '## Fields', 'field').sort()).toEqual(
      Object.keys(Policy.shape).sort(),
    )
    expect(fieldsBelow(policy, '**Rule**', 'field').sort()).toEqual(
      Object.keys(PolicyRule.shape).sort(),
    )
  })

  test('every code is listed, and every listed code exists', () => {
    const listed = codeWords(sectionOf(surface, '## Codes'))
    expect(listed.sort()).toEqual(Object.keys(codes).sort())
  })
})
