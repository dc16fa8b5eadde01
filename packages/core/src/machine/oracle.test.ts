import { expect, test } from 'vitest'
import type { Condition } from '../condition/condition.ts'
import { parseWorkflow } from '../definition/parse/parse-workflow.ts'
import { withOracle } from './oracle.ts'
import { compileProgram } from './program.ts'

/** An expression in every place that can hold one. */
const everywhere = {
  id: 'all',
  initial: 'working',
  facts: {
    seen: {
      from: 'read_note',
      when: 'exit == "success"',
      each: 'result.notes',
      key: 'item.id',
      value: 'item.text',
    },
  },
  marks: { private: { on: 'read_note', when: 'args.id == "1"' } },
  calls: { send_note: [{ require: 'args.to in facts.seen', message: 'Look first.' }] },
  guards: { quiet: { when: '!marks.private' } },
  interrupts: {
    review: { trigger: { tool: 'send_note', when: 'args.to == "all"' }, target: 'held' },
  },
  policy: {
    deny: [{ capability: 'bash', when: 'marks.leaked' }],
    ask: [{ capability: 'mcp:*', when: 'size(args) > 3' }],
    marks: { leaked: { on: 'Bash', when: 'size(shell.hosts) > 0' } },
  },
  states: {
    working: {
      calls: { Bash: [{ require: 'size(shell.hosts) == 0', message: 'Offline.' }] },
      on: { DONE: { target: 'done', guard: 'quiet' } },
    },
    held: { on: { BACK: '$return' } },
    done: { type: 'final' },
  },
}

test('FC-1: an oracle stands in the place of every expression of a program, wherever it is', () => {
  const parsed = parseWorkflow(everywhere)
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  const program = compileProgram({ kind: 'workflow', definition: parsed.definition })
  if (!program.ok) throw new Error(JSON.stringify(program.error))
  const found = conditionsIn(program.value)
  expect(new Set(found.map(({ text }) => text)).size).toBe(12)
  const asked: string[] = []
  const oracle = withOracle(program.value, ({ text }, _values, owner) => {
    asked.push(`${owner}: ${text}`)
    return true
  })
  const replaced = conditionsIn(oracle)
  for (const condition of replaced) expect(condition.expression.evaluate({})).toBe(true)
  expect(asked.toSorted()).toEqual(found.map(({ text }) => `all: ${text}`).toSorted())
})

/** Looks at everything, so that a new place for an expression is not forgotten. */
function conditionsIn(value: unknown, seen = new Set<unknown>()): Condition[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if ('expression' in value && 'reads' in value) return [value as Condition] // the only such thing
  const inner = value instanceof Map ? [...value.values()] : Object.values(value)
  return inner.flatMap((one) => conditionsIn(one, seen))
}
