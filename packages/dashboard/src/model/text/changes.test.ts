import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

const yaml = `# House rules
id: house
initial: looking
states:
  looking: { allowed_tools: [Read], on: { SEEN: over } } # the start
  over: { type: final }
`

test('a text in another format says the same', () => {
  const json = JSON.stringify({
    id: 'house',
    initial: 'looking',
    states: {
      looking: { allowed_tools: ['Read'], on: { SEEN: 'over' } },
      over: { type: 'final' },
    },
  })
  expect(changesBetween(yaml, json)).toEqual([])
})

test('fields that were changed, added and removed are named by their path', () => {
  const after = yaml
    .replace('[Read]', '[Read, Grep]')
    .replace('on: { SEEN: over }', 'max_iterations: 7')
  expect(changesBetween(yaml, after)).toEqual([
    { path: 'states.looking.allowed_tools', before: 'Read', after: 'Read, Grep' },
    { path: 'states.looking.on', before: '{"SEEN":"over"}', after: undefined },
    { path: 'states.looking.max_iterations', before: undefined, after: '7' },
  ])
  expect(changesBetween(yaml, 'id: [')).toBe(undefined)
})
