import { type Rulebook, ruleId } from './spec-rules.ts'
import { isNode, type Parsed, type SyntaxNode, textOf, walk } from './syntax.ts'
import { type Complaint, lineOf } from './tree.ts'

export interface Citation {
  readonly id: string
  readonly path: string
  readonly line: number
}

/** Built rules that no test cites, and cited ids that no rule has. */
export function coverageFaults(rules: Rulebook, cited: readonly Citation[]): Complaint[] {
  const proven = new Set(cited.map((one) => one.id))
  const unproven = [...rules.rules.values()]
    .filter((rule) => rule.status === 'built' && !proven.has(rule.id))
    .map(({ id, path, line }) => ({ path, line, message: `${id} is cited by no test` }))
  const unknown = cited
    .filter((one) => !rules.rules.has(one.id))
    .map(({ id, path, line }) => ({ path, line, message: `${id} is no rule of docs/spec` }))
  return [...unproven, ...unknown]
}

/**
 * The ids that stand before the first colon in the names of a file's tests. Where the name has a
 * placeholder there (`$rule: …`), they are those of the table that the test runs over. A test that
 * never runs cites nothing.
 */
export function citationsOf(file: Parsed): Citation[] {
  const found: Citation[] = []
  walk(file.program, (node, above) => {
    if (node.type !== 'CallExpression' || !Array.isArray(node.arguments)) return
    const words = calleeWords(node.callee)
    if (!words.some((word) => ['test', 'it', 'describe'].includes(word))) return
    if ([node, ...above].some(isSwitchedOff)) return
    const title = textOf(node.arguments[0])
    if (title === undefined) return
    const head = title.split(':')[0] ?? ''
    const source = /[$%]/.test(head) ? head + tableText(file, node, above) : head
    const line = lineOf(file.text, node.start)
    for (const [id] of source.matchAll(ruleId)) found.push({ id, path: file.path, line })
  })
  return found
}

function isSwitchedOff(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const words = calleeWords(node.callee)
  return words.includes('skip') || words.includes('todo')
}

/** `test.skip.each(table)` reads as test, skip, each. */
function calleeWords(callee: unknown): string[] {
  if (!isNode(callee)) return []
  if (callee.type === 'Identifier') return [String(callee.name)]
  if (callee.type === 'MemberExpression') {
    return [...calleeWords(callee.object), ...calleeWords(callee.property)]
  }
  if (callee.type === 'CallExpression') return calleeWords(callee.callee)
  return callee.type === 'TaggedTemplateExpression' ? calleeWords(callee.tag) : []
}

/** The text of the table behind `test.each(table)`, or of the list that a loop around it walks. */
function tableText(file: Parsed, call: SyntaxNode, above: readonly SyntaxNode[]): string {
  const tables: unknown[] = []
  if (isNode(call.callee)) {
    if (Array.isArray(call.callee.arguments)) tables.push(...call.callee.arguments)
    tables.push(call.callee.quasi)
  }
  for (const node of above) if (node.type === 'ForOfStatement') tables.push(node.right)
  return tables.map((table) => resolvedText(file, table)).join(' ')
}

function resolvedText(file: Parsed, table: unknown): string {
  if (!isNode(table)) return ''
  const own = file.text.slice(table.start, table.end)
  let named = ''
  walk(table, (part) => {
    if (part.type !== 'Identifier') return
    walk(file.program, (node) => {
      if (node.type !== 'VariableDeclarator' || !isNode(node.id) || !isNode(node.init)) return
      if (node.id.name === part.name) named += ` ${file.text.slice(node.init.start, node.init.end)}`
    })
  })
  return `${own}${named}`
}
