import { expect, test } from 'vitest'
import { entrySentence } from './entry-lines.ts'

const by = 'agent_1'
const sentences = [
  [
    { type: 'transitioned', event: 'GO', from: 'a', to: 'b', by, rationale: 'tests are green' },
    'GO: a -> b, by agent_1: tests are green',
  ],
  [{ type: 'transitioned', event: 'GO', from: 'a', to: 'b', by }, 'GO: a -> b, by agent_1'],
  [
    { type: 'invoked', event: 'SUB', from: 'a', workflow: 'child', state: 'c', by },
    'SUB: a -> child (c), by agent_1',
  ],
  [
    { type: 'invoke_ended', workflow: 'child', succeeded: false, to: 'mending' },
    'child failed -> mending',
  ],
  [
    { type: 'branch_ended', branch: 'lint', status: 'failed', state: 'x' },
    'branch lint failed in x',
  ],
  [{ type: 'joined', succeeded: true, to: 'next' }, 'joined -> next'],
  [{ type: 'answered', answer: 'yes', from: 'q', rationale: 'why' }, 'answered yes in q: why'],
] as const

test.each(sentences)('WF-21: %j reads as "%s"', (entry, sentence) => {
  expect(entrySentence({ seq: 1, at: 0, ...entry })).toBe(sentence)
})
