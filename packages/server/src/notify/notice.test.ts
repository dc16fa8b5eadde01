import { describe, expect, test } from 'vitest'
import type { ApprovalRow } from '../store/store.ts'
import { noticeOf } from './notice.ts'

function row(message: string): ApprovalRow {
  return {
    approvalId: 'apr_1',
    runId: 'run_1',
    kind: 'ask',
    message,
    openedAt: 1,
    expiresAt: 2,
    details: { tool: 'Bash', input: '{"command":"curl -H secret"}' },
    status: 'waiting',
    resolvedAt: null,
    resolvedBy: null,
    note: null,
  }
}

describe('what people are told', () => {
  test('PR-12: names the tool and the place, never the arguments', () => {
    const notice = noticeOf(row('May it?'), undefined, 'https://sw.example.com')
    expect(notice).toEqual({
      type: 'approval_waiting',
      approval_id: 'apr_1',
      run_id: 'run_1',
      workflow: null,
      project: null,
      kind: 'ask',
      message: 'May it?',
      tool: 'Bash',
      opened_at: 1,
      expires_at: 2,
      url: 'https://sw.example.com/runs/run_1',
      text: 'Waiting for you: Bash. May it?',
    })
  })

  test.each([
    ['--help', 'Waiting for you: Bash. --help'],
    ['a\u001b[2J\nb', 'Waiting for you: Bash. a [2J b'],
    ['a\u202eb', 'Waiting for you: Bash. a b'],
    ['x'.repeat(2000), `Waiting for you: Bash. ${'x'.repeat(477)}…`],
  ])('PR-12: the words of an agent stay words: %j', (message, text) => {
    expect(noticeOf(row(message), undefined, '').text).toBe(text)
  })
})
