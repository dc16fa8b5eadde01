import { isNode, type Parsed, type SyntaxNode, walk } from '../../test/tidy/syntax.ts'
import { lineOf } from '../../test/tidy/tree.ts'
import { isSentence, sentenceOf, shownText } from './sentence.ts'

/** A text that a person or an agent can read. */
export interface Message {
  readonly kind: 'problem' | 'description' | 'command' | 'page' | 'text'
  /** Codes that it is sent with; empty where it has none, or none that is written beside it. */
  readonly codes: readonly string[]
  readonly path: string
  readonly line: number
  readonly text: string
}

interface Found {
  readonly node: SyntaxNode
  readonly above: readonly SyntaxNode[]
  readonly text: string
}

/** Every message of a file, in the order in which it is written. */
export function findMessages(file: Parsed, isCode: (word: string) => boolean): Message[] {
  return textsIn(file).map(({ node, above, text }) => {
    const codes = [...new Set(codesFor(file, node, above, isCode))]
    const line = lineOf(file.text, node.start)
    return { kind: kindOf(file.path, above, codes), codes, path: file.path, line, text }
  })
}

function textsIn(file: Parsed): Found[] {
  const found: Found[] = []
  const end = () => found.at(-1)?.node.end ?? 0
  walk(file.program, (node, above) => {
    // What is part of a longer text was read with it.
    if (node.start < end() && node.type !== 'JSXElement') return
    if (isNoMessage(node, above)) return
    const isShown = node.type === 'JSXElement' || node.type === 'JSXFragment'
    const text = isShown ? shownText(node, file.text) : sentenceOf(node, file.text)
    if (text === undefined || !(isShown || isLabel(above) || isSentence(text))) return
    found.push({ node: isShown ? opening(node) : node, above, text })
  })
  return found
}

/** An element ends, for us, where its children begin: they may have words of their own. */
function opening(node: SyntaxNode): SyntaxNode {
  return isNode(node.openingElement) ? node.openingElement : { ...node, end: node.start }
}

const unseenTypes = /^(ImportDeclaration|Export\w+Declaration|TSLiteralType|ImportExpression)$/
const unseenAttributes = /^(className|style|d|viewBox|points|transform|id|key|href|to|type|name)$/

function isNoMessage(node: SyntaxNode, above: readonly SyntaxNode[]): boolean {
  const outer = above.findLast(({ type }) => type !== 'ParenthesizedExpression')
  if (outer === undefined) return false
  if (isLookOrKey(above) || isListOfWords(node, outer)) return true
  if (unseenTypes.test(outer.type) && outer.source === node) return true
  if (outer.type === 'TSLiteralType' || outer.type === 'TaggedTemplateExpression') return true
  if (outer.type === 'JSXAttribute') return unseenAttributes.test(attributeOf(outer))
  if (outer.type === 'Property' || outer.type === 'MemberExpression') return outer.key === node
  // A claim that fails is a bug of ours, which nobody is meant to read.
  return outer.type === 'CallExpression' && /^(invariant|unreachable)$/.test(calleeOf(outer))
}

const lookOrKey = /^(className|style|d|viewBox|points|transform|key|href|to|rel)$/

/** Also where an attribute is computed: class names, addresses and keys are read by no person. */
function isLookOrKey(above: readonly SyntaxNode[]): boolean {
  const holder = above.findLast(({ type }) => /^JSX(Attribute|Element)$|Function/.test(type))
  return holder?.type === 'JSXAttribute' && lookOrKey.test(attributeOf(holder))
}

/** Names of programs and options, written as one text: `'cd pushd popd'.split(' ')`. */
function isListOfWords(node: SyntaxNode, outer: SyntaxNode): boolean {
  if (outer.type === 'MemberExpression') {
    return isNode(outer.property) && /^(split|trim)$/.test(String(outer.property.name))
  }
  if (outer.type !== 'CallExpression' || /\.$/.test(String(node.value ?? ''))) return false
  return /^(list|named|options|prints)$/.test(calleeOf(outer))
}

const labels = /^(label|title|placeholder|alt|heading|aria-label|aria-description)$/

/** One word is enough where a page writes it on something. */
function isLabel(above: readonly SyntaxNode[]): boolean {
  const outer = above.at(-1)
  return outer?.type === 'JSXAttribute' && labels.test(attributeOf(outer))
}

function attributeOf({ name }: SyntaxNode): string {
  return isNode(name) ? String(name.name) : ''
}

function calleeOf({ callee }: SyntaxNode): string {
  if (!isNode(callee)) return ''
  return String((isNode(callee.property) ? callee.property : callee).name)
}

function kindOf(
  path: string,
  above: readonly SyntaxNode[],
  codes: readonly string[],
): Message['kind'] {
  const outer = above.at(-1)
  const key = outer?.type === 'Property' && isNode(outer.key) ? String(outer.key.name) : ''
  if (/^(description|summary)$/.test(key)) return 'description'
  if (outer?.type === 'CallExpression' && calleeOf(outer) === 'describe') return 'description'
  if (codes.length > 0) return 'problem'
  if (path.startsWith('packages/dashboard/')) return 'page'
  return /^packages\/server\/(bin|src\/cli)\//.test(path) ? 'command' : 'text'
}

/**
 * The codes beside a text: in the same call or object; or where the value that holds the text is
 * used; or else those of the function around it.
 */
function codesFor(
  file: Parsed,
  node: SyntaxNode,
  above: readonly SyntaxNode[],
  isCode: (word: string) => boolean,
): string[] {
  const around = above.toReversed()
  const functionAt = around.findIndex(({ type }) => /Function/.test(type))
  const near = functionAt === -1 ? around : around.slice(0, functionAt)
  for (const one of near.filter(isHolder)) {
    const codes = directCodes(one, isCode)
    if (codes.length > 0) return codes
  }
  const body = functionAt === -1 ? file.program : around[functionAt]
  const holder = near.find(({ type }) => type === 'VariableDeclarator')
  if (body === undefined || functionAt === -1 || !isNode(holder?.id)) {
    return functionAt === -1 || body === undefined ? [] : returnedCodes(body, node, isCode)
  }
  return usesOf(body, String(holder.id.name), isCode)
}

const holders = new Set(['CallExpression', 'ObjectExpression', 'ArrayExpression', 'Property'])

function isHolder({ type }: SyntaxNode): boolean {
  return holders.has(type)
}

/** Of `{ code: 'x' }`, `problem('x', …)`, `['x', …]` and `{ x: … }`, or where one is chosen. */
function directCodes(node: SyntaxNode, isCode: (word: string) => boolean): string[] {
  if (node.type === 'Property') {
    const key = isNode(node.key) ? String(node.key.name) : ''
    return isCode(key) ? [key] : []
  }
  if (node.type === 'ArrayExpression') {
    const [first] = Array.isArray(node.elements) ? node.elements : []
    return literalCodes(first, isCode)
  }
  if (node.type === 'CallExpression') {
    const [first] = Array.isArray(node.arguments) ? node.arguments : []
    return calleeOf(node) === 'phrase' ? [] : literalCodes(first, isCode)
  }
  const properties = Array.isArray(node.properties) ? node.properties.filter(isNode) : []
  const code = properties.find(({ key }) => isNode(key) && key.name === 'code')
  return literalCodes(code?.value, isCode)
}

function literalCodes(node: unknown, isCode: (word: string) => boolean): string[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal') return isCode(String(node.value)) ? [String(node.value)] : []
  if (node.type !== 'ConditionalExpression') return []
  return [...literalCodes(node.consequent, isCode), ...literalCodes(node.alternate, isCode)]
}

function usesOf(body: SyntaxNode, name: string, isCode: (word: string) => boolean): string[] {
  const codes: string[] = []
  walk(body, (node, above) => {
    if (node.type !== 'Identifier' || node.name !== name) return
    const beside = above.toReversed().filter(isHolder)
    const found = beside.map((one) => directCodes(one, isCode)).find((some) => some.length > 0)
    codes.push(...(found ?? []))
  })
  return codes
}

/** A small function that makes a message may get its code from the one call inside it. */
function returnedCodes(
  body: SyntaxNode,
  node: SyntaxNode,
  isCode: (word: string) => boolean,
): string[] {
  const codes: string[] = []
  walk(body, (inner) => {
    if (isHolder(inner) && inner.start <= node.start && node.end <= inner.end) {
      codes.push(...directCodes(inner, isCode))
    }
  })
  return codes
}
