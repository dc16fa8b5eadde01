import { expect, test } from 'vitest'
import { marksOfMany } from './machine-now.ts'

test('WF-33d: a state shows how many runs stand there, a forked run in each of its own', () => {
  const runs = [
    { state: 'planning' },
    { state: 'checking | checking' },
    { state: 'checking | linting' },
  ]
  const { standing } = marksOfMany('bugfix', runs, [])
  expect([...(standing ?? [])]).toEqual([
    ['planning', 1],
    ['checking', 2],
    ['linting', 1],
  ])
})

test('WF-33d: denials are those of this definition alone', () => {
  const { refusals } = marksOfMany(
    'bugfix',
    [],
    [
      { workflow: 'bugfix', state: 'planning', count: 4 },
      { workflow: 'deploy', state: 'planning', count: 9 },
    ],
  )
  expect([...refusals]).toEqual([['planning', 4]])
})
