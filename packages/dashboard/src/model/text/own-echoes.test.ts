import { describe, expect, test } from 'vitest'
import { OwnEchoes } from './own-echoes.ts'

describe('a text that comes back to the editor', () => {
  test('is known as its own, however late', () => {
    const echoes = new OwnEchoes()
    echoes.tell('')
    echoes.tell('all of it')
    expect(echoes.isEcho('')).toBe(true)
    expect(echoes.isEcho('all of it')).toBe(true)
  })

  test('once it has come back, the same text is somebody else’s', () => {
    const echoes = new OwnEchoes()
    echoes.tell('a')
    expect(echoes.isEcho('a')).toBe(true)
    expect(echoes.isEcho('a')).toBe(false)
  })

  test('what was skipped does not come back: several keys may be told in one', () => {
    const echoes = new OwnEchoes()
    for (const text of ['a', 'ab', 'abc']) echoes.tell(text)
    expect(echoes.isEcho('abc')).toBe(true)
    expect(echoes.isEcho('ab')).toBe(false)
  })

  test('a text from outside is taken, and ends what was waited for', () => {
    const echoes = new OwnEchoes()
    echoes.tell('a')
    expect(echoes.isEcho('other')).toBe(false)
    expect(echoes.isEcho('a')).toBe(false)
  })
})
