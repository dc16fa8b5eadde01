import { isNode, type Parsed, type SyntaxNode, walk } from './syntax.ts'
import { type Complaint, isData, lineOf, type TextFile } from './tree.ts'

const maxLines = 400
const maxColumns = 100

// One string each, of options or of words: broken into lines they would be harder to read.
const wideTables = ['packages/core/src/shell/entries/', 'packages/core/src/base/text/']

/** Files nobody can read in one sitting, and lines that an editor would fold. */
export function tooLong(files: readonly TextFile[]): Complaint[] {
  return files
    .filter((file) => !isData(file.path))
    .flatMap((file) => {
      const lines = file.text.split('\n')
      const count = lines.at(-1) === '' ? lines.length - 1 : lines.length
      const wide = lines.flatMap((line, index) =>
        line.length > maxColumns && !wideTables.some((folder) => file.path.startsWith(folder))
          ? [{ path: file.path, line: index + 1, message: `has ${line.length} columns` }]
          : [],
      )
      if (count <= maxLines) return wide
      return [{ path: file.path, line: count, message: `has ${count} lines` }, ...wide]
    })
}

/** Exports that hide what a file offers. Tools that demand a default export get one. */
export function vagueExports(file: Parsed): Complaint[] {
  const mayDefault = file.path.endsWith('.config.ts')
  return complaints(file, (node) => {
    if (node.type === 'ExportAllDeclaration') return 'exports everything of another file'
    if (node.type === 'ExportDefaultDeclaration' && !mayDefault) return 'has a default export'
    return undefined
  })
}

const impureGlobals = new Set([
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'performance',
  'crypto',
  'console',
  'globalThis',
  'require',
])
const impureMembers = new Set(['Date.now', 'Math.random'])

/** What would make two equal calls of the core answer differently. */
export function impurities(file: Parsed): Complaint[] {
  const bound = boundNames(file)
  return complaints(file, (node, above) => {
    if (node.type === 'MemberExpression') {
      const name = `${nameOf(node.object)}.${nameOf(node.property)}`
      return impureMembers.has(name) ? `uses ${name}` : undefined
    }
    if (isClockRead(node)) return 'reads the clock through Date'
    const name = nameOf(node)
    if (name === undefined || !impureGlobals.has(name) || bound.has(name)) return undefined
    return isReference(node, above.at(-1)) ? `uses ${name}` : undefined
  })
}

function isClockRead(node: SyntaxNode): boolean {
  if (nameOf(node.callee) !== 'Date') return false
  if (node.type === 'CallExpression') return true
  return node.type === 'NewExpression' && Array.isArray(node.arguments) && !node.arguments.length
}

/** An identifier that means a value, not a key of some object or type. */
function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined) return true
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true
  const isKey = parent.key === node && parent.computed !== true
  return !isKey || parent.shorthand === true
}

/** Names that the file itself declares: `process` is a word of ours for a definition. */
function boundNames(file: Parsed): Set<string> {
  const names = new Set<string>()
  walk(file.program, (node) => {
    if (node.type === 'ImportSpecifier') add(node.local)
    if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') add(node.id)
    if (Array.isArray(node.params)) for (const parameter of node.params) add(parameter)
  })
  return names

  function add(pattern: unknown): void {
    if (!isNode(pattern)) return
    walk(pattern, (node) => {
      const name = nameOf(node)
      if (name !== undefined) names.add(name)
    })
  }
}

/** Casts and `any` that nobody has proven: the compiler stops helping there. */
export function unprovenCasts(file: Parsed): Complaint[] {
  const explained = new Set(
    file.comments.flatMap((comment) => {
      const last = lineOf(file.text, comment.end)
      return [last, last + 1]
    }),
  )
  return complaints(file, (node) => {
    if (!isCast(node)) return undefined
    for (let line = lineOf(file.text, node.start); line <= lineOf(file.text, node.end); line++) {
      if (explained.has(line)) return undefined
    }
    return node.type === 'TSAnyKeyword' ? 'says any without a proof' : 'casts without a proof'
  })
}

function isCast(node: SyntaxNode): boolean {
  if (node.type === 'TSAnyKeyword' || node.type === 'TSTypeAssertion') return true
  if (node.type !== 'TSAsExpression' || !isNode(node.typeAnnotation)) return false
  return nameOf(node.typeAnnotation.typeName) !== 'const'
}

/** The one file in which the dashboard sends requests: it reads answers by their shapes. */
const dashboardClient = 'packages/dashboard/src/api/client/client.ts'

/** Answers of the server that nobody has looked at: what is cast is believed to be there. */
export function uncheckedAnswers(file: Parsed): Complaint[] {
  return complaints(file, (node) => {
    if (isCast(node) && isParsed(node.expression)) return 'casts what it has not looked at'
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined
    if (nameOf(node.callee.property) === 'json') return 'reads an answer without its shape'
    const isFetch = nameOf(node.callee) === 'fetch' || nameOf(node.callee.property) === 'fetch'
    return isFetch && nameOf(node.callee.object) !== 'query' && file.path !== dashboardClient
      ? 'sends a request of its own'
      : undefined
  })
}

/** Of `JSON.parse`, whether or not it was awaited or cast before. */
function isParsed(node: unknown): boolean {
  if (!isNode(node)) return false
  const { callee } = node
  if (isNode(callee)) return nameOf(callee.object) === 'JSON' && nameOf(callee.property) === 'parse'
  return isParsed(node.expression) || isParsed(node.argument)
}

/** A note to self that nobody will find again. `#12` after the word names an issue. */
export function loosePromises(file: Parsed): Complaint[] {
  return file.comments
    .filter((comment) => /\b(TODO|FIXME|XXX)\b(?!\s*\(?#\d)/.test(comment.value))
    .map((comment) => ({
      path: file.path,
      line: lineOf(file.text, comment.start),
      message: 'promises work without naming an issue',
    }))
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'Identifier') return undefined
  return typeof node.name === 'string' ? node.name : undefined
}

function complaints(
  file: Parsed,
  judge: (node: SyntaxNode, above: readonly SyntaxNode[]) => string | undefined,
): Complaint[] {
  const found: Complaint[] = []
  walk(file.program, (node, above) => {
    const message = judge(node, above)
    if (message === undefined) return
    found.push({ path: file.path, line: lineOf(file.text, node.start), message })
  })
  return found
}
