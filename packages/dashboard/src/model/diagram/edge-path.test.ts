import { type Definition, parseDefinition } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { pathNames } from '../definitions/definition-path.ts'
import { emptyProcess, emptyWorkflow, example } from '../definitions/example.ts'
import { readText } from '../simulator/play.ts'
import { edgePath } from './edge-path.ts'
import { anywhere, runGraph } from './run-graph.ts'

const forked = `id: review
initial: reading
states:
  reading:
    safe_next: failed
    on:
      SPLIT:
        fork:
          branches:
            one: { initial: a, terminal: a_done }
            two: { initial: b, terminal: b_done }
          on_complete: done
          on_fail: failed
      CHOOSE: [{ target: a, guard: x }, { target: b }]
      CALL: { invoke: other, on_complete: done, on_fail: failed }
  a: { on: { OK: a_done } }
  a_done: { type: final }
  b: { on: { OK: b_done } }
  b_done: { type: final }
  done: { type: final }
  failed: { type: final }
guards: { x: { field: y, op: exists } }
`

function definitionOf(text: string): Definition {
  const parsed = parseDefinition(text)
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  return parsed.kind === 'workflow'
    ? { kind: 'workflow', definition: parsed.definition }
    : { kind: 'process', definition: parsed.definition }
}

describe('an arrow of the picture', () => {
  test.each([
    ['the example', example],
    ['forks, candidates and children', forked],
    ['a process', emptyProcess],
  ])('has a place in the text: %s', (_, text) => {
    const definition = definitionOf(text)
    const { edges } = runGraph(definition)
    expect(edges.length).toBeGreaterThan(1)
    for (const { from, to } of edges) {
      expect([from, to, edgePath(definition, from, to)?.length]).not.toContain(undefined)
    }
  })

  test('leads to the event, the fork, the interrupt or the answer', () => {
    const workflow = definitionOf(example)
    expect(edgePath(workflow, 'planning', 'fixing')).toEqual(['states', 'planning', 'on', 'FOUND'])
    expect(edgePath(workflow, anywhere, 'migrating')).toEqual(['interrupts', 'migration'])
    expect(edgePath(workflow, 'migrating', anywhere)).toEqual([
      'states',
      'migrating',
      'on',
      'CHECKED',
    ])
    const review = definitionOf(forked)
    expect(edgePath(review, 'a_done', 'done')).toEqual(['states', 'reading', 'on', 'SPLIT'])
    expect(edgePath(review, 'a', 'nowhere')).toBeUndefined()
    expect(edgePath(definitionOf(emptyProcess), 'first', 'end')).toEqual([
      'states',
      'first',
      'answers',
      'yes',
    ])
  })
})

test('a place is split at the names that the definition has', () => {
  const definition = { states: { 'a.b': { on: {} } } }
  expect(pathNames(definition, 'states.a.b.on')).toEqual(['states', 'a.b', 'on'])
  expect(pathNames(definition, 'states.a.b.allowed_tools')).toEqual([
    'states',
    'a.b',
    'allowed_tools',
  ])
  expect(pathNames(undefined, '')).toEqual([])
})

test('what a person begins with can be used', () => {
  for (const text of [emptyWorkflow, emptyProcess]) expect(readText(text).findings).toEqual([])
})
