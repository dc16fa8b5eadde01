import {
  checkDefinition,
  compileProgram,
  type Definition,
  hasErrors,
  type JsonObject,
  parseDefinition,
  processGraph,
  toMermaid,
  workflowGraph,
} from '@statewright/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestMs } from '../../packages/server/testing/length.ts'
import { always } from './settings.ts'
import { anyText, anyValue, spoiltText, spoiltValue } from './texts.ts'
import { build, writtenWorld } from './world.ts'

describe('what generators write', { timeout: longestMs }, () => {
  test('WF-1, WF-3, PR-1: every definition parses and checks without errors, and compiles', () => {
    always(40, writtenWorld, (written) => {
      const { program } = build(written)
      expect(program.machines.size).toBeGreaterThan(0)
      expect(build(structuredClone(written)).program.hash).toBe(program.hash)
    })
  })

  test('WF-1: the same definition read from JSON and from a value is the same', () => {
    always(25, writtenWorld, (written) => {
      for (const one of written) {
        const fromText = parseDefinition(JSON.stringify(one))
        const fromValue = parseDefinition(one)
        expect(fromText.findings).toEqual([])
        expect(fromText.definition).toEqual(fromValue.definition)
      }
    })
  })
})

describe('whatever comes instead of a definition', { timeout: longestMs }, () => {
  const inputs: [string, number, fc.Arbitrary<unknown>][] = [
    ['a spoilt text', 80, spoiltText],
    ['any text', 150, anyText],
    ['a spoilt value', 120, spoiltValue],
    ['any value', 150, anyValue],
  ]
  test.each(inputs)('WF-2, WF-3: %s is answered, and nothing is polluted', (_, usual, values) => {
    always(usual, values, (input) => {
      const parsed = parseDefinition(input)
      const checked = checkDefinition(input)
      for (const { findings, definition } of [parsed, checked]) {
        expect(hasErrors(findings)).toBe(definition === undefined)
        for (const { message, path } of findings) {
          expect(message).not.toBe('')
          expect(Array.isArray(path)).toBe(true)
        }
      }
      expect(({} as JsonObject).polluted).toBeUndefined()
      expect(Object.keys(Object.prototype)).toEqual([])
    })
  })

  test('WF-3, WF-4: what checks without errors compiles and can be drawn', () => {
    always(120, fc.oneof(spoiltValue, spoiltText), (input) => {
      const checked = checkDefinition(input)
      if (checked.definition === undefined) return
      // `kind` and `definition` belong together; the narrowing of optional fields loses that.
      const definition = { kind: checked.kind, definition: checked.definition } as Definition
      const graph =
        definition.kind === 'workflow'
          ? workflowGraph(definition.definition)
          : processGraph(definition.definition)
      expect(toMermaid(graph)).not.toBe('')
      const compiled = compileProgram(definition, () => definition)
      expect(compiled.ok).toBe(true)
    })
  })
})
