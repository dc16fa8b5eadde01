import { expect, test } from 'vitest'
import { shapeOf } from './call-shape.ts'
import { describeCall } from './describe-call.ts'

function filesOf(command: string): readonly string[] {
  const call = describeCall({ id: 'c', tool: 'Bash', input: { command } }, { root: '/w' })
  return shapeOf(call).shellFiles
}

test.each([
  ['cd secret && echo x > x', ['x', 'secret/x']],
  ['cd secret; touch y', ['y', 'secret/y']],
  ['(cd a && cd b && touch y)', ['y', 'a/y', 'b/y', 'a/b/y']],
  ['pushd /w/secret; sed -i s/a/b/ x', ['x', 'secret/x']],
  ['touch y; cd secret', ['y']],
  ['cd secret && echo x > /w/x', ['x']],
])('WF-28: %s visibly changes %j', (command, files) => {
  expect(filesOf(command)).toEqual(files)
})
