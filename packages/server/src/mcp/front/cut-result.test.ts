import { describe, expect, test } from 'vitest'
import { cutResult, sizeOf } from './cut-result.ts'

const text = (words: string) => ({ type: 'text', text: words })

describe('WF-11: a result that passes through us', () => {
  test('is left alone where it fits, or where there is no budget', () => {
    const given = { content: [text('a'.repeat(100))] }
    expect(cutResult(given, null)).toBe(given)
    expect(cutResult(given, 1000)).toBe(given)
  })

  test('is cut at the cap, and says so', () => {
    const given = { content: [text('a'.repeat(1000)), text('b'.repeat(1000))], _meta: { kept: 1 } }
    const cut = cutResult(given, 1500) as { content: { text: string }[]; _meta: object }
    expect(cut._meta).toEqual({ kept: 1 })
    expect(cut.content.map((part) => part.text.slice(0, 5))).toEqual(['aaaaa', 'bbbbb', '[STAT'])
    expect(cut.content[1]?.text.length).toBeLessThan(1000)
    expect(sizeOf(cut.content.slice(0, 2))).toBeLessThan(1600)
  })

  test('keeps no half of a character', () => {
    const cut = cutResult({ content: [text('ä'.repeat(100))] }, 33) as {
      content: { text: string }[]
    }
    expect(cut.content[0]?.text).toBe('ä'.repeat(16))
  })

  test('leaves out what cannot be cut, and is an error without its structured content', () => {
    const image = { type: 'image', data: 'x'.repeat(5000), mimeType: 'image/png' }
    const cut = cutResult({ content: [image], structuredContent: { a: 1 } }, 100)
    expect(cut).toMatchObject({ isError: true })
    expect(JSON.stringify(cut)).not.toContain('xxxx')
    expect(cut).not.toHaveProperty('structuredContent')
  })
})
