import type { Approval } from '@statewright/core/wire'
import { expect, test } from 'vitest'
import { offersFor } from './offers.ts'

const approval = (tool: string, input: unknown, more = 0): Approval => ({
  approval_id: 'appr_1',
  run_id: 'run_1',
  kind: 'ask',
  status: 'waiting',
  message: '',
  opened_at: 0,
  tool,
  input,
  input_more: more,
})

test.each([
  ['Bash', { command: 'npm test -- src/a.ts' }, 0, 'call command rule'],
  ['Bash', { command: 'rm -rf src/a' }, 0, 'call rule'],
  ['Edit', { file_path: 'src/cart/a.ts' }, 0, 'call folder rule'],
  ['Edit', { file_path: 'a.ts' }, 0, 'call rule'],
  ['Edit', { file_path: 'src/../a.ts' }, 0, 'call rule'],
  ['WebFetch', { url: 'https://example.org/a/b' }, 0, 'call rule'],
  ['Write', { file_path: 'src/a.ts' }, 9, 'folder rule'],
])('PO-7e: for %s %j (%d cut off) the narrowest is offered first: %s', (tool, input, more, ids) => {
  expect(
    offersFor(approval(tool, input, more))
      .map(({ id }) => id)
      .join(' '),
  ).toBe(ids)
})
