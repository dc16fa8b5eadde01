import { describe, expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'

function codesOf(entry: string): readonly string[] {
  const state = { allowed_tools: ['Bash'], allowed_commands: [entry], on: { DONE: 'done' } }
  const states = { work: state, done: { type: 'final' } }
  const { findings } = checkDefinition({ id: 'w', initial: 'work', states })
  return findings.map(({ code }) => code)
}

describe('entries of allowed_commands', () => {
  test.each(['npm *', 'npm run test:', 'git log | head', 'CI=1 npm test', '   ', 'make $TARGET'])(
    'SH-8: %s cannot be meant',
    (entry) => {
      expect(codesOf(entry)).toContain('unusable_command')
    },
  )

  test('SH-8: of an assignment it says what to write instead', () => {
    const state = {
      allowed_tools: ['Bash'],
      allowed_commands: ['CI=1 npm test'],
      on: { A: 'done' },
    }
    const states = { work: state, done: { type: 'final' } }
    const { findings } = checkDefinition({ id: 'w', initial: 'work', states })
    expect(findings.map(({ message }) => message)).toEqual([
      '"CI=1 npm test" begins with an assignment; list "npm test", ' +
        'and set variables that the command needs in env_overrides.',
    ])
  })

  test.each(['npm test', 'npm run test:unit', './check.sh', 'git commit -m "a b"', 'task'])(
    'SH-8: %s is an entry like any other',
    (entry) => {
      expect(codesOf(entry)).toEqual([])
    },
  )
})
