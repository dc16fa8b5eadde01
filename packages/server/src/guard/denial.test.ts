import { expect, test } from 'vitest'
import { denialText } from './denial.ts'

test('WF-14: a denial tells code, sentence, what is allowed, events and the way', () => {
  const text = denialText({
    code: 'tool_not_allowed',
    message: 'Write is not allowed in planning.',
    allowedTools: ['Read', 'Grep'],
    events: [{ event: 'READY', target: 'implementing' }],
    way: [{ event: 'READY', target: 'implementing' }],
  })
  expect(text).toBe(
    'tool_not_allowed: Write is not allowed in planning.\n' +
      'Allowed now: Read, Grep.\n' +
      'Events: READY -> implementing.\n' +
      'Way on: call statewright_transition with READY to implementing.',
  )
})

test('PO-7: a question to a person says how to go on', () => {
  const text = denialText({
    code: 'approval_required',
    message: 'bash asks first.',
    allowedTools: null,
    events: [],
    approvalId: 'apr_1',
  })
  expect(text).toBe(
    'approval_required: bash asks first.\n' +
      'A person was asked (apr_1). Make the very same call again once they approved.',
  )
})

test('a long list is cut, and says so', () => {
  const allowedTools = Array.from({ length: 60 }, (_, index) => `Tool${index}`)
  const text = denialText({ code: 'tool_not_allowed', message: 'No.', allowedTools, events: [] })
  expect(text).toContain('Tool39 and 20 more.')
})
