import { EntryLine } from '@statewright/core/wire'
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
  [
    { type: 'answered', answer: 'yes', from: 'q', to: null, rationale: 'why', by },
    'answered yes in q: why',
  ],
  [{ type: 'warned', message: 'late' }, 'warned: late'],
  [{ type: 'moon_landed', crater: 3 }, 'moon landed'],
] as const

test.each(sentences)('WF-21: %j reads as "%s"', (entry, sentence) => {
  const read = EntryLine.parse({ seq: 1, at: 0, hash: 'b', prev: 'a', ...entry })
  expect(entrySentence(read)).toBe(sentence)
})

test('a known type with a wrong field is no entry of a newer server', () => {
  const broken = { seq: 1, at: 0, hash: 'b', prev: 'a', type: 'warned', message: 7 }
  expect(EntryLine.safeParse(broken).success).toBe(false)
})
