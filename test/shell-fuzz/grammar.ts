import { readFileSync } from 'node:fs'

/**
 * Bash as templates, read from `fixtures/*.txt`: a rule's name, and below it one production a
 * line. A name in ‹› is replaced by one of that rule's productions, and `‹sq:list›` quotes what it
 * is replaced by. The first production is the one that ends, taken when the line has grown deep.
 *
 * Names of programs are made up so that bash finds none of them; those that begin with `ko` fail,
 * so that both sides of a condition run. A `¤` becomes a number that no other program of the line
 * has, so that one that is missed is not covered by another. What must not run says `q9`.
 */
export type Grammar = Readonly<Record<string, readonly string[]>>

/** Signs that stand for characters which a line of the file cannot show. */
const signs: Readonly<Record<string, string>> = {
  ε: '',
  '␤': '\n',
  '␉': '\t',
  '␍': '\r',
  '␋': '\v',
  '␌': '\f',
  '␠': ' ',
  '␣': '\u00a0',
  '␞': '\u2028',
}

export const grammar: Grammar = readGrammar(['words', 'expansions', 'commands', 'scripts', 'state'])

function readGrammar(files: readonly string[]): Grammar {
  const rules: Record<string, string[]> = {}
  for (const file of files) {
    const text = readFileSync(new URL(`fixtures/${file}.txt`, import.meta.url), 'utf8')
    let current: string[] = []
    for (const line of text.trimEnd().split('\n')) {
      if (line.startsWith('  ')) {
        current.push(line.slice(2).replaceAll(/[ε␤␉␍␋␌␠␣␞]/g, (sign) => signs[sign] ?? ''))
        continue
      }
      current = []
      rules[line] = current
    }
  }
  return rules
}
