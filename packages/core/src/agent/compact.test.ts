import { describe, expect, test } from 'vitest'
import { contextMessages, summaryRequest } from './compact.ts'
import type { AgentMessage } from './conversation.ts'
import type { CompactionMethod } from './records.ts'

const user = (content: string): AgentMessage => ({ role: 'user', messageId: content, content })
const call = (callId: string): AgentMessage => ({
  role: 'assistant',
  streamId: callId,
  content: `I call ${callId}.`,
  toolCalls: [{ callId, name: 'read_file', arguments: {}, mutating: false }],
})
const result = (toolCallId: string, content: string): AgentMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'read_file',
  content,
  isError: false,
})
const compaction = (how: CompactionMethod, tailLength: number, content = ''): AgentMessage => ({
  role: 'compaction',
  compactionId: `compaction ${content}`,
  how,
  content,
  tailLength,
})
const long = 'x'.repeat(5000)
const linesOf = (messages: readonly AgentMessage[]) =>
  messages.map(({ role, content }) => `${role}: ${content}`)

describe('what a model reads after a compaction', () => {
  test('SE-20: old results are cut short, those that were just given stay', () => {
    const messages = [
      user('fix it'),
      call('a'),
      result('a', long),
      call('b'),
      result('b', long),
      compaction('shortened', 3000),
      user('go on'),
    ]
    const [task, , cut, , newest, next] = contextMessages(messages)
    expect(linesOf([task, next] as AgentMessage[])).toEqual(['user: fix it', 'user: go on'])
    expect(cut?.content).toMatch(/^x{360}\n\[4640 characters left out\]$/)
    expect(newest?.content).toBe(long)
  })

  test('SE-20: a summary stands for what was said, between the task and the newest words', () => {
    const messages = [
      user('fix it'),
      call('a'),
      result('a', long),
      user('and the docs'),
      call('b'),
      result('b', 'short'),
      call('c'),
      result('c', long),
      compaction('summary', 500, 'Half done.'),
    ]
    expect(linesOf(contextMessages(messages)).map((line) => line.slice(0, 110))).toEqual([
      'user: fix it',
      'user: [STATEWRIGHT] The conversation was too long, so the model summarized it:\nHalf done.',
      'user: and the docs',
      'assistant: I call c.',
      expect.stringMatching(/^tool: x+/),
    ])
    const [last] = contextMessages(messages).slice(-1)
    expect(last?.content).toMatch(/\[\d+ characters left out\]$/)
    expect(last?.content.length).toBeLessThanOrEqual(500 * 2.5)
  })

  test('SE-20: a second summary keeps the task and what the person said, not the first', () => {
    const messages = [
      user('fix it'),
      call('a'),
      result('a', 'short'),
      compaction('summary', 10, 'First.'),
      call('b'),
      result('b', 'short'),
      compaction('summary', 10, 'Second.'),
    ]
    const lines = linesOf(contextMessages(messages))
    expect(lines.filter((line) => line.includes('fix it'))).toEqual(['user: fix it'])
    expect(lines.join()).toContain('Second.')
    expect(lines.join()).not.toContain('First.')
  })

  test('SE-20: too long a task keeps its beginning, and is not cut twice', () => {
    const messages = [user(long), user('go on'), compaction('cut', 1000)]
    const once = contextMessages(messages)
    expect(once[0]?.content).toMatch(/^x{1460}\n\[3540 characters left out\]$/)
    expect(contextMessages([...messages, compaction('cut', 1000, 'again')])[0]).toEqual(once[0])
  })

  test('SE-20a: a conversation is cut without a summary where there is none', () => {
    const messages = [user('fix it'), call('a'), result('a', 'short'), compaction('cut', 10)]
    expect(linesOf(contextMessages(messages))).toEqual([
      'user: fix it',
      'user: [STATEWRIGHT] The conversation was too long: the messages in between were left out.',
      // Too large for a window of this size: left out together with its result.
    ])
  })
})

describe('the request for a summary', () => {
  test('SE-20a: it holds what was said and done, and never more than its length', () => {
    const text = summaryRequest([user('fix it'), call('a'), result('a', long)], 10_000)
    expect(text).toContain('user: fix it\n\nagent: I call a.\ncalls read_file {}\n\nresult of')
    expect(text).toContain('characters left out]')
    const bounded = summaryRequest([user(long), user('the end')], 1000)
    expect(bounded.length).toBeLessThan(2000)
    expect(bounded).toContain('the end\n</conversation>')
  })
})
