import { describe, expect, test } from 'vitest'
import { followable, readMarkdown } from './read-markdown.ts'

describe('what a model wrote', () => {
  test('is taken apart, and HTML in it stays a text', () => {
    const tokens = readMarkdown('**so** <b>no</b>\n\n- one\n\n<script>x</script>') ?? []
    expect(tokens.map(({ type }) => type)).toEqual(['paragraph', 'space', 'list', 'space', 'html'])
  })

  test('is left as it is where it is too long or nested without end', () => {
    expect(readMarkdown('a'.repeat(40_001))).toBeNull()
    expect(readMarkdown('>'.repeat(20_000))).toBeNull()
  })

  test('leads only to addresses of the web and of mail', () => {
    expect(followable('https://example.org/a')).toBe('https://example.org/a')
    expect(followable('mailto:a@example.org')).toBe('mailto:a@example.org')
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '//example.org', '/settings']) {
      expect(followable(href)).toBeNull()
    }
  })
})
