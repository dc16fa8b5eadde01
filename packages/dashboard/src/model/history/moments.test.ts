import { describe, expect, test } from 'vitest'
import { sinceStart } from '../words/words.ts'
import { nextMoment, stepMs, ticksOf } from './moments.ts'
import type { PlacedEntry } from './recorded-run.ts'

// Only what is looked at: the rest of an entry is not read here.
const entry = (seq: number, at: number, more: object) =>
  ({ seq, at, ...more }) as unknown as PlacedEntry
const deny = { type: 'call_decided', decision: 'deny' }
const allow = { type: 'call_decided', decision: 'allow' }
const story = [
  entry(1, 0, { type: 'run_started' }),
  entry(2, 400, deny),
  entry(3, 1000, allow),
  entry(4, 90_000, { type: 'transitioned' }),
  entry(5, 90_050, { type: 'approval_opened' }),
]

describe('moments of a run', () => {
  test('the next denial or approval is found, and after the last the first again', () => {
    expect(nextMoment(story, 0, 'denial')).toBe(1)
    expect(nextMoment(story, 1, 'denial')).toBe(1)
    expect(nextMoment(story, 1, 'approval')).toBe(4)
    expect(nextMoment(story.slice(0, 1), 0, 'denial')).toBe(undefined)
  })

  test('a bar shows what matters most in each stretch', () => {
    expect(ticksOf(story, 4)).toEqual([
      { at: 0.25, kind: 'denial' },
      { at: 0.75, kind: 'move' },
      { at: 1, kind: 'approval' },
    ])
    expect(ticksOf(story, 1)).toEqual([
      { at: 0, kind: 'denial' },
      { at: 1, kind: 'approval' },
    ])
  })

  test('playing keeps the pace and cuts what is idle', () => {
    expect(stepMs(story, 0, 1)).toBe(400)
    expect(stepMs(story, 0, 4)).toBe(100)
    expect(stepMs(story, 2, 1)).toBe(1500)
    expect(stepMs(story, 3, 20)).toBe(70)
  })

  test('times are told from the start', () => {
    expect(sinceStart(400)).toBe('+0.4 s')
    expect(sinceStart(83_000)).toBe('+1:23 min')
    expect(sinceStart(2 * 3_600_000 + 60_000)).toBe('+2 h 1 min')
    expect(sinceStart(50 * 3_600_000)).toBe('+2 d 2 h')
  })
})
