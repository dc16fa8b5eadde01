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
    { text: 'rm ', start: 0, tone: 'bad', isCause: true },
    { text: '-rf build', start: 3, tone: 'bad', isCause: true },
    { text: '; ', start: 12, tone: 'wait', isCause: true },
    { text: 'curl', start: 14, tone: 'wait', isCause: true },
    { text: '\\u{202e} x', start: 18, tone: 'plain', isCause: false },
  ])
  expect(notes.map(({ message }) => message)).toEqual([
    'rm removes build.',
    'curl reaches the network.',
    'Nobody knows.',
  ])
})

test('the gravest mark colours all of a simple command, and the words behind it stand out', () => {
  const command = 'rm -rf old && curl -X POST a'
  const curl = { start: 14, end: 28 }
  const { segments } = commandSegments(command, [
    { start: 7, end: 10, tone: 'bad', message: 'removes', command: { start: 0, end: 10 } },
    { start: 22, end: 26, tone: 'bad', message: 'changes', command: curl },
    { ...curl, tone: 'wait', message: 'network', command: curl },
  ])
  expect(segments.map(({ text, tone, isCause }) => [text, tone, isCause])).toEqual([
    ['rm -rf ', 'bad', false],
    ['old', 'bad', true],
    [' && ', 'plain', false],
    ['curl -X ', 'bad', false],
    ['POST', 'bad', true],
    [' a', 'bad', false],
  ])
})

test('what has no mark is one part, also where a mark is beyond its end', () => {
  expect(commandSegments('ls', [])).toEqual({
    segments: [{ text: 'ls', start: 0, tone: 'plain', isCause: false }],
    notes: [],
  })
  const beyond = { start: 0, end: 9, tone: 'bad', message: 'No.' } as const
  expect(commandSegments('ls', [beyond]).segments.map(({ text }) => text)).toEqual(['ls'])
})
