import { describe, expect, test } from 'vitest'
import {
  chatLines,
  denialSentence,
  inputGist,
  type ToolItem,
  toolOutcome,
} from './session-lines.ts'

const item = (part: Partial<ToolItem>): ToolItem => ({
  kind: 'tool',
  id: 'a',
  name: 'bash',
  status: 'succeeded',
  attempt: 1,
  ...part,
})

describe('a call in a session', () => {
  test('SE-4: a denial, an error result and a failure are three things', () => {
    expect(toolOutcome(item({ isError: true, error: 'tool_not_allowed' })).word).toBe(
      'denied: tool_not_allowed',
    )
    expect(toolOutcome(item({ isError: true })).word).toBe('error result')
    expect(toolOutcome(item({ status: 'failed', error: 'timed_out' })).word).toBe('failed')
    expect(toolOutcome(item({})).word).toBe('done')
  })

  test('a sentence of an agent does not pass for one of our codes', () => {
    const error = 'tool_not_allowed: but in truth all is well'
    expect(toolOutcome(item({ isError: true, error })).word).toBe('denied or failed')
  })

  test('is told apart by its most telling argument, and hides nothing', () => {
    expect(inputGist({ timeout: 1, command: 'npm test\nrm -rf /' })).toBe('npm test')
    expect(inputGist({ path: 'a\u202eb' })).toBe('a\\u{202e}b')
    expect(inputGist('text')).toBe('')
    expect(inputGist({ command: 5 })).toBe('')
  })

  test('an error of each attempt is one line, and what announces it is none', () => {
    const error = { code: 'a', message: 'b: c', retryable: true, source: 'harness' } as const
    const failed = (id: string) =>
      [
        { kind: 'status', id: `s${id}`, text: 'b: c' },
        { kind: 'error', id, error },
      ] as const
    const queued = { kind: 'input', id: 'q', text: 'later', isQueued: true } as const
    const lines = chatLines([...failed('1'), queued, ...failed('2'), ...failed('3')])
    expect(lines).toEqual([{ item: { kind: 'error', id: '3', error }, times: 3 }])
  })

  test('says why it was denied', () => {
    const reported = 'Denied (tool_not_allowed): Edit may not be used.\nAllowed now: Read.'
    expect(denialSentence(reported)).toBe('Edit may not be used.')
    expect(denialSentence(undefined)).toBe('')
  })
})
