import { expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: { amount: { type: 'number' }, note: { anyOf: [{ type: 'string' }] } },
}
const tools = [{ server: 'bank', tools: ['pay'], listed: ['pay'], schemas: { pay: schema } }]

function findingsOf(require: string): string[] {
  const calls = { mcp__bank__pay: [{ require, message: 'No.' }] }
  const states = { working: { on: { DONE: 'done' } }, done: { type: 'final' } }
  const definition = { id: 'bank', initial: 'working', calls, states }
  return checkDefinition(definition, { tools }).findings.map(({ message }) => message)
}

test.each([
  ['args.amount < 5', []],
  ['args.note == "a"', []],
  ['args.note == 5', []],
  ['args.amount == "5"', ['The condition compares a number with a string: "args.amount == "5"".']],
  ['args.amont < 5', ['mcp__bank__pay has no argument "amont". Did you mean "amount"?']],
])('FC-6: %s, by the schema of a server', (require, found) => {
  expect(findingsOf(require)).toEqual(found)
})
