import { describe, expect, test } from 'vitest'
import { chooseMode, type ModeOverride, settleMode } from './mode-override.ts'

const begun: ModeOverride = { mode: 'enforce', since: 1, choice: null, ended: null }
const chosen: ModeOverride = {
  mode: 'observe',
  since: 2,
  choice: { mode: 'observe', by: 'ann', at: 2, over: 'enforce' },
  ended: null,
}

describe('the mode that holds', () => {
  test('is the one of the configuration, and has held since that said so', () => {
    expect(settleMode(null, 'enforce', 1)).toEqual(begun)
    expect(settleMode(begun, 'enforce', 9)).toBe(begun)
    expect(settleMode(begun, 'observe', 9)).toEqual({ ...begun, mode: 'observe', since: 9 })
  })

  test('is what a person chose, while the configuration says what it said then', () => {
    const word = { mode: 'observe', by: 'ann', configured: 'enforce' } as const
    expect(chooseMode(begun, word, 2)).toEqual(chosen)
    expect(settleMode(chosen, 'enforce', 9)).toBe(chosen)
  })

  test('is the new word of the configuration, for good, also where both say the same', () => {
    const { choice } = chosen
    const after = settleMode(chosen, 'observe', 9)
    expect(after).toEqual({ ...chosen, choice: null, ended: { ...choice, until: 9 } })
    const back = settleMode(after, 'enforce', 10)
    expect(back).toEqual({ ...after, mode: 'enforce', since: 10 })
  })

  test('needs no choice to be what the configuration says', () => {
    const word = { mode: 'enforce', by: 'bob', configured: 'enforce' } as const
    expect(chooseMode(chosen, word, 5)).toEqual({ ...begun, since: 5 })
  })
})
