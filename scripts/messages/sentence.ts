import { isNode, type SyntaxNode } from '../../test/tidy/syntax.ts'

/** The text of a string, a template or a sum of them; what is put in reads as `${…}`. */
export function sentenceOf(node: unknown, source: string): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') return templateText(node, source)
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const [left, right] = [sentenceOf(node.left, source), sentenceOf(node.right, source)]
  if (left === undefined && right === undefined) return undefined
  return (left ?? hole(node.left, source)) + (right ?? hole(node.right, source))
}

function templateText({ quasis, expressions }: SyntaxNode, source: string): string {
  if (!Array.isArray(quasis) || !Array.isArray(expressions)) return ''
  return quasis
    .map((piece: { value: { cooked: string } }, index) => {
      const inner = expressions[index]
      return piece.value.cooked + (inner === undefined ? '' : hole(inner, source))
    })
    .join('')
}

function hole(node: unknown, source: string): string {
  const text = isNode(node) ? source.slice(node.start, node.end) : '…'
  return `\${${text.length > 40 || text.includes('\n') ? '…' : text}}`
}

/** What a page shows of an element: its own words, with holes for what is put in. */
export function shownText(element: SyntaxNode, source: string): string | undefined {
  const children = Array.isArray(element.children) ? element.children.filter(isNode) : []
  const words = children.map((child) => {
    if (child.type === 'JSXText') return String(child.value)
    if (child.type !== 'JSXExpressionContainer') return '<…>'
    return sentenceOf(child.expression, source) ?? hole(child.expression, source)
  })
  const hasWords = children.some(
    ({ type, value }) => type === 'JSXText' && /\p{L}/u.test(`${value}`),
  )
  const text = words.join('').replaceAll(/\s+/g, ' ').trim()
  // One letter is a key to press.
  return hasWords && text.length > 1 ? text : undefined
}

const statement = /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH|LISTEN|NOTIFY)\b/
const joining = /^\s*(FROM|WHERE|AND|OR|ORDER|GROUP|JOIN|ON|SET|VALUES|LIMIT)\b/

/** Headers, styles, streams and statements in lower case; a bug is for us to read. */
const forMachines = [
  /^bug: |^Bearer |^(: |id: \$|event: )/,
  /; charset=|max-age=|^\w+-src '|^(base-uri|form-action|frame-ancestors) |text\/event-stream/i,
  /var\(--|^translate\(|prefers-reduced|^[ML]\$|^input, textarea|^a\[href\]|^noopener /,
  /^\s*(select|run_id|place|session_\w+ \() |= \?| as (other|tries)$|::bigint|^NEW\.|^\('/,
  /^(Host|Authorization|Content-\w+|Statewright-Hook): | HTTP\/1/,
  /\(\?:|^\[aria-label|^(if|unless) (equal|at least)$|\$#/,
]

/** Two words at least, and none of another language than English. */
export function isSentence(text: string): boolean {
  if (statement.test(text) || joining.test(text)) return false
  if (forMachines.some((kind) => kind.test(text))) return false
  const bare = text.replaceAll(/\$\{[^}]*\}/g, 'x').replaceAll(/\{\w+(:\w+)?\}/g, 'x')
  return /\p{L}{2,}[,:;)"']* ["'(]?\p{L}/u.test(bare) && !/[\\^$|]\(|\]\{|=>|;\n/.test(bare)
}
