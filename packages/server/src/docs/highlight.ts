import { escaped } from './escaped.ts'

/** What a piece of a text is: a comment, a name or keyword, a text, a prompt, what is typed. */
type Kind = 'c' | 'k' | 's' | 'p' | 't'

interface Rule {
  readonly pattern: RegExp
  readonly kind: Kind
}

const quoted: Rule = { pattern: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y, kind: 's' }
const hashComment: Rule = { pattern: /(?<![^\s])#.*/y, kind: 'c' }

const words =
  'async|await|const|else|export|false|for|from|function|if|import|let|new|null|of|return|throw|' +
  'true|type|undefined'

const yaml: readonly Rule[] = [
  hashComment,
  { pattern: /(?<=^|[\s{,[])[\w$.-]+(?=:(?:\s|$))/my, kind: 'k' },
  quoted,
]

const script: readonly Rule[] = [
  { pattern: /\/\/.*/y, kind: 'c' },
  quoted,
  { pattern: /`[^`]*`/y, kind: 's' },
  { pattern: new RegExp(`\\b(?:${words})\\b`, 'y'), kind: 'k' },
]

const languages: Readonly<Record<string, readonly Rule[]>> = {
  yaml,
  markdown: yaml,
  json: [{ pattern: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/y, kind: 'k' }, quoted],
  sh: [hashComment, quoted],
  ts: script,
  js: script,
}

/** A block of code as HTML, coloured by a few rules; a language that has none stays as it is. */
export function highlight(text: string, language: string): string {
  if (language === 'console') return typed(text)
  const rules = Object.hasOwn(languages, language) ? (languages[language] ?? []) : []
  let html = ''
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(rules, text, at)
    if (piece === undefined) {
      plain += text[at]
      at += 1
      continue
    }
    html += escaped(plain) + span(piece.kind, piece.text)
    plain = ''
    at += piece.text.length
  }
  return html + escaped(plain)
}

function pieceAt(rules: readonly Rule[], text: string, at: number) {
  for (const { pattern, kind } of rules) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined && found !== '') return { kind, text: found }
  }
  return undefined
}

/** Of a terminal, what is typed stands out from what is answered. */
function typed(text: string): string {
  let continues = false
  const lines = text.split('\n').map((line) => {
    const begins = line.startsWith('$ ')
    if (!begins && !continues) return escaped(line)
    continues = line.endsWith('\\')
    return begins ? `${span('p', '$ ')}${span('t', line.slice(2))}` : span('t', line)
  })
  return lines.join('\n')
}

function span(kind: Kind, text: string): string {
  return `<span class="${kind}">${escaped(text)}</span>`
}
