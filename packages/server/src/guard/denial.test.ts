import { expect, test } from 'vitest'
import { denialText } from './denial.ts'

test('WF-14: a denial tells code, sentence, what is allowed, events and the way', () => {
  const text = denialText({
    code: 'iterations_exhausted',
    message: 'All 3 tool calls allowed in planning are used up. Send an event to move on.',
    allowedTools: ['Read', 'Grep'],
    events: [{ event: 'READY', target: 'implementing' }],
    way: [{ event: 'READY', target: 'implementing' }],
  })
  expect(text).toBe(
    'iterations_exhausted: All 3 tool calls allowed in planning are used up. ' +
      'Send an event to move on.\n' +
      'Allowed now: Read, Grep.\n' +
      'Events: READY -> implementing.\n' +
      'To go on, call statewright_transition with READY to implementing.',
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
      'A person was asked (apr_1). Make exactly the same call again once it is approved.',
  )
})

test('a long list is cut, and says so', () => {
  const allowedTools = Array.from({ length: 60 }, (_, index) => `Tool${index}`)
  const text = denialText({ code: 'run_waiting', message: 'No.', allowedTools, events: [] })
  expect(text).toContain('Tool39 and 20 more.')
})
