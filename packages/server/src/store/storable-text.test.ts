import fc from 'fast-check'
import { expect, test } from 'vitest'
import { restored, restoredRow, storable, storableJson } from './storable-text.ts'

// Any sequence of code units, halves of pairs included.
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x1a, 0xd800, 0xdfff)))
  .map((units) => String.fromCharCode(...units))

test('WF-34: any text can be stored and comes back as it was', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = storable(text)
      expect(kept.isWellFormed()).toBe(true)
      expect(kept).not.toContain('\u0000')
      expect(restored(kept)).toBe(text)
    }),
  )
})

test('WF-34: ordinary text and JSON are stored as they are', () => {
  for (const text of ['', 'plain', '🏳️‍🌈 ñ', JSON.stringify('\u0000 \ud800 \u001a')]) {
    expect(storable(text)).toBe(text)
  }
})

test('WF-34: texts inside of JSON can be taken out one by one', () => {
  const row: { text: string; n: number } = JSON.parse(storableJson({ text: 'a\u0000b', n: 1 }))
  expect(row.text).not.toContain('\u0000')
  expect(restoredRow(row)).toEqual({ text: 'a\u0000b', n: 1 })
})
