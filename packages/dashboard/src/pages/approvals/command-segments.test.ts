import { expect, test } from 'vitest'
import { commandSegments } from './command-segments.ts'

test('a command is shown whole, cut at its marks, with what is not seen spelt out', () => {
  const reaches = {
    start: 14,
    end: 18,
    tone: 'wait',
    message: 'curl reaches the network.',
  } as const
  const removes = { start: 0, end: 12, tone: 'bad', message: 'rm removes build.' } as const
  const both = { start: 3, end: 18, tone: 'wait', message: 'Nobody knows.' } as const
  const { segments, notes } = commandSegments('rm -rf build; curl\u202e x', [
    reaches,
    both,
    removes,
  ])
  expect(segments).toEqual([
    { text: 'rm ', start: 0, tone: 'bad' },
    { text: '-rf build', start: 3, tone: 'bad' },
    { text: '; ', start: 12, tone: 'wait' },
    { text: 'curl', start: 14, tone: 'wait' },
    { text: '\\u{202e} x', start: 18, tone: 'plain' },
  ])
  expect(notes.map(({ message }) => message)).toEqual([
    'rm removes build.',
    'curl reaches the network.',
    'Nobody knows.',
  ])
})

test('what has no mark is one part, also where a mark is beyond its end', () => {
  expect(commandSegments('ls', [])).toEqual({
    segments: [{ text: 'ls', start: 0, tone: 'plain' }],
    notes: [],
  })
  const beyond = { start: 0, end: 9, tone: 'bad', message: 'No.' } as const
  expect(commandSegments('ls', [beyond]).segments.map(({ text }) => text)).toEqual(['ls'])
})
