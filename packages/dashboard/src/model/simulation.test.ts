import { describe, expect, test } from 'vitest'
import { example } from './example.ts'
import { placeOf } from './place.ts'
import { readText, startPlay } from './play.ts'
import { attempt, begin, now, playAgain, scenarioText, stepBack } from './simulation.ts'

function start(text = example) {
  const { program } = readText(text)
  if (program === null) throw new Error('the text cannot be used')
  return startPlay(program, 1)
}

const edit = {
  kind: 'call',
  tool: 'Edit',
  input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
  exit: 'success',
} as const
const found = { kind: 'send', event: 'FOUND', data: { cause: 'line 42' } } as const

describe('a simulation', () => {
  test('is taken back step by step', () => {
    const done = attempt(attempt(begin(start()), edit, 2), found, 3)
    expect(placeOf(now(done)).states).toEqual(['fixing'])
    expect(placeOf(now(stepBack(done))).states).toEqual(['planning'])
    expect(now(stepBack(stepBack(stepBack(done))))).toBe(done.start)
  })

  test('is played again on a changed text', () => {
    const done = attempt(begin(start()), edit, 2)
    const opened = example.replace('[Read, Grep, Glob]', '[Read, Grep, Glob, Edit]')
    const again = now(playAgain(done, start(opened), 3)).last.answer
    expect(again.type === 'decided' && again.decision.kind).toBe('allow')
  })

  test('becomes a scenario that says what came of each step', () => {
    const done = attempt(attempt(begin(start()), edit, 2), found, 3)
    expect(scenarioText(done, 'nothing is edited too soon', 'bugfix.yaml')).toBe(
      `definition: bugfix.yaml
scenarios:
  - name: nothing is edited too soon
    steps:
      - tool: Edit
        input:
          file_path: a.ts
          old_string: a
          new_string: b
        expect: deny
        code: tool_not_allowed
        state: planning
      - send: FOUND
        data:
          cause: line 42
        state: fixing
`,
    )
  })
})
