import { describeCall, type Entry, textOf } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { texts } from '../../packages/core/src/base/text/texts.ts'
import { longestMs } from '../../packages/server/testing/length.ts'
import { commands } from '../histories/definitions.ts'
import { always } from './settings.ts'
import { type Scenario, scenario, storyOf } from './story.ts'

describe('the words of every run', { timeout: longestMs }, () => {
  test('WF-35: rewording every text changes no entry, event or snapshot', () => {
    always(60, scenario, (chosen) => {
      const before = stored(chosen)
      expect(withOtherTexts(() => stored(chosen))).toBe(before)
    })
  })

  test('WF-35: no stored string holds words of ours', () => {
    always(60, scenario, (chosen) => {
      const { entries, last } = storyOf(chosen)
      expect(ownWordsIn({ entries, last })).toEqual([])
    })
  })

  test('WF-35: what a shell call would do is stored without words of ours', () => {
    for (const command of commands) {
      const call = describeCall({ id: 'c1', tool: 'Bash', input: { command } }, { root: '/w' })
      expect(ownWordsIn(call), command).toEqual([])
    }
  })

  test('WF-35: words of ours are found where they stand', () => {
    const entry = { type: 'notice', text: textOf({ phrase: 'run_paused' }), at: 1 } as Entry
    expect(ownWordsIn([entry])).toEqual(['The run is paused. Resume it first.'])
  })
})

function stored(chosen: Scenario): string {
  const { entries, last } = storyOf(chosen)
  return JSON.stringify({ entries, last })
}

/** Says everything in other words while `work` is done. */
function withOtherTexts<Done>(work: () => Done): Done {
  const table: Record<string, string> = texts
  const before = { ...table }
  for (const name of Object.keys(table)) table[name] = `other words ${name.length}`
  try {
    return work()
  } finally {
    Object.assign(table, before)
  }
}

/** Pieces of our texts that are long enough to be nobody else's. */
const pieces = Object.values(texts)
  .flatMap((text) => text.split(/\{[^}]*\}/))
  .map((piece) => piece.trim())
  .filter((piece) => piece.length >= 12 && piece.includes(' '))

function ownWordsIn(value: unknown): string[] {
  if (typeof value === 'string') return pieces.some((piece) => value.includes(piece)) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(ownWordsIn)
}
