import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

test.each([
  ['yaml', 'a: [b] # why', '<span class="k">a</span>: [b] <span class="c"># why</span>'],
  [
    'json',
    '{"a": "b"}',
    '{<span class="k">&quot;a&quot;</span>: <span class="s">&quot;b&quot;</span>}',
  ],
  [
    'ts',
    "const a = 'b' // c",
    '<span class="k">const</span> a = <span class="s">\'b\'</span> <span class="c">// c</span>',
  ],
  [
    'console',
    '$ a \\\n b\nc',
    '<span class="p">$ </span><span class="t">a \\</span>\n<span class="t"> b</span>\nc',
  ],
  ['text', 'const a', 'const a'],
  ['constructor', 'const a', 'const a'],
])('colours %s', (language, text, html) => {
  expect(highlight(text, language)).toBe(html)
})

test('a block stays the text that it was, whatever it says', () => {
  const languages = fc.constantFrom('yaml', 'json', 'ts', 'sh', 'markdown', 'console', 'text')
  const pieces = fc.constantFrom(
    '<',
    '&',
    '"',
    "'",
    '#',
    ':',
    '\\',
    '\n',
    '$ ',
    '// ',
    '`',
    'a',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(pieces), languages, (all, language) => {
      const text = all.join('')
      const plain = highlight(text, language)
        .replaceAll(/<\/?span[^<>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
      expect(plain).toBe(text)
    }),
  )
})
