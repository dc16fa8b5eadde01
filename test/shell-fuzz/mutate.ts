import type { Random } from '../../packages/server/testing/random.ts'

/** Characters that change how bash reads what stands around them. */
const odd = [
  "'",
  '"',
  '`',
  '$',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '|',
  '&',
  ';',
  '\n',
  '\\',
  '#',
  '!',
  ' ',
  '\t',
  '=',
  '*',
  '~',
  '\r',
  '/',
  ':',
  '-',
  '@',
  '%',
  '+',
  '\\\n',
  '$(',
  '${',
  '$((',
  '))',
  '<(',
  '<<',
  '<<<',
  '>&',
  '&>',
  "$'",
  '$"',
  '[[',
  ']]',
  ';;',
  '&&',
  '||',
  '|&',
  '`q8`',
  '$(q8)',
  '; q8',
  '| q8',
  '& q8',
  '\nq8\n',
  '"$(q8)"',
  'EOF',
  '\nEOF\n',
  '<<EOF\n',
  '\u00a0',
  '\v',
  '}; ',
  '#\n',
]

/** Changes a line a little, in one to four places; `other` gives material for splices. */
export function mutateLine(line: string, other: string, random: Random): string {
  let text = line
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    text = change(text, other, random)
  }
  return text
}

type Change = (text: string, at: number, random: Random, other: string) => string

const changes: readonly Change[] = [
  (text, at, random) => text.slice(0, at) + random.pick(odd) + text.slice(at),
  (text, at, random) => text.slice(0, at) + random.pick(odd) + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at, random) => text.slice(0, at) + text.slice(at + 1 + random.below(8)),
  (text, at) => text.slice(0, at) + text.slice(at, at + 1) + text.slice(at),
  (text, at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
  flipQuote,
  duplicateToken,
  dropToken,
  swapTokens,
  (text, at, random, other) => text.slice(0, at) + other.slice(random.below(other.length + 1)),
  (text, at, random, other) => {
    const from = random.below(other.length + 1)
    const piece = other.slice(from, from + 1 + random.below(20))
    return text.slice(0, at) + piece + text.slice(at)
  },
  (text, at, random) => `${text.slice(0, at)}${wrap(text.slice(at), random)}`,
]

function change(text: string, other: string, random: Random): string {
  return random.pick(changes)(text, random.below(text.length + 1), random, other)
}

function wrap(text: string, random: Random): string {
  const pairs = ["''", '""', '()', '{}', '[]', '``', '<>']
  const pair = random.pick(pairs)
  return pair.charAt(0) + text + pair.charAt(1)
}

function flipQuote(text: string, at: number, random: Random): string {
  const quotes = [...text.matchAll(/['"`]/g)]
  const chosen = quotes[random.below(quotes.length || 1)]
  if (chosen === undefined) return `${text.slice(0, at)}'${text.slice(at)}`
  return (
    text.slice(0, chosen.index) + random.pick(["'", '"', '`', '']) + text.slice(chosen.index + 1)
  )
}

function tokensOf(text: string): string[] {
  return text.split(/(\s+|[;&|()<>{}'"`$])/)
}

function duplicateToken(text: string, _at: number, random: Random): string {
  const tokens = tokensOf(text)
  const from = random.below(tokens.length)
  tokens.splice(random.below(tokens.length), 0, tokens[from] ?? '')
  return tokens.join('')
}

function dropToken(text: string, _at: number, random: Random): string {
  const tokens = tokensOf(text)
  tokens.splice(random.below(tokens.length), 1)
  return tokens.join('')
}

function swapTokens(text: string, _at: number, random: Random): string {
  const tokens = tokensOf(text)
  const [one, two] = [random.below(tokens.length), random.below(tokens.length)]
  const held = tokens[one] ?? ''
  tokens[one] = tokens[two] ?? ''
  tokens[two] = held
  return tokens.join('')
}
