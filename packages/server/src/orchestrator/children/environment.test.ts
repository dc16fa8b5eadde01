import { expect, test } from 'vitest'
import { secretVariables } from '../../sandbox/environment.test-kit.ts'
import { agentVariables, hookVariables } from './environment.ts'

const around = { PATH: '/bin', HOME: '/home/a', LANG: 'C', CI: '1', ...secretVariables }
const named = Object.keys(secretVariables)

test('SE-15: a hook is given what it names, but no secret of ours', () => {
  const usual = { PATH: '/bin', HOME: '/home/a', LANG: 'C' }
  expect(hookVariables(around)).toEqual(usual)
  expect(hookVariables(around, ['CI', ...named])).toEqual({ ...usual, CI: '1', SOME_API_KEY: 'k' })
})

test('an agent is given its keys by the beginning of their names, but no secret of ours', () => {
  const usual = { PATH: '/bin', HOME: '/home/a', LANG: 'C' }
  expect(agentVariables(around, ['ANTHROPIC_'])).toEqual(usual)
  expect(agentVariables({ ...around, ANTHROPIC_API_KEY: 'a' }, ['ANTHROPIC_', 'SOME_'])).toEqual({
    ...usual,
    ANTHROPIC_API_KEY: 'a',
    SOME_API_KEY: 'k',
  })
  expect(agentVariables(around, ['STATEWRIGHT_', 'LD_', 'DATABASE_'])).toEqual(usual)
})
