import { parseSync } from 'vite'
import { lineOf, type TextFile } from './tree.ts'

/** A node of the syntax tree, as far as the checks look at it. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Import {
  readonly specifier: string
  readonly line: number
}

export interface Parsed extends TextFile {
  readonly program: SyntaxNode
  readonly comments: readonly {
    readonly value: string
    readonly start: number
    readonly end: number
  }[]
}

/** Reads a source into its syntax tree: checks on text would trip over strings and comments. */
export function parse(file: TextFile): Parsed {
  const { program, comments, errors } = parseSync(file.path, file.text)
  const first = errors[0]
  if (first !== undefined) throw new Error(`${file.path} does not parse: ${first.message}`)
  // The parser's own types name every kind of node; the checks need only the common shape.
  return { ...file, program: program as unknown as SyntaxNode, comments }
}

/** Calls `visit` for each node, parents first, with the chain of nodes above it. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, above: readonly SyntaxNode[]) => void,
  above: readonly SyntaxNode[] = [],
): void {
  visit(node, above)
  const inner = [...above, node]
  for (const child of children(node)) walk(child, visit, inner)
}

function children(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The text of a plain string or template; a hole in a template reads as `$`. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined
  return node.quasis.map((part: { value: { raw: string } }) => part.value.raw).join('$')
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/** Everything a file imports, types and re-exports included. */
export function importsOf(file: Parsed): Import[] {
  const found: Import[] = []
  walk(file.program, (node) => {
    const specifier = importing.has(node.type) ? textOf(node.source) : undefined
    if (specifier !== undefined) found.push({ specifier, line: lineOf(file.text, node.start) })
  })
  return found
}

/** The names that a file imports or passes on, as they are called where they come from. */
export function importedNames(file: Parsed): { readonly name: string; readonly line: number }[] {
  const found: { name: string; line: number }[] = []
  walk(file.program, (node, above) => {
    const outer = above.at(-1)
    const [inner] = node.type === 'ImportSpecifier' ? [node.imported] : [node.local]
    const isPassedOn = node.type === 'ExportSpecifier' && textOf(outer?.source) !== undefined
    if (node.type !== 'ImportSpecifier' && !isPassedOn) return
    if (isNode(inner) && typeof inner.name === 'string') {
      found.push({ name: inner.name, line: lineOf(file.text, node.start) })
    }
  })
  return found
}

/** The file that a relative import means, from the root of the repository. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const segments = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') segments.pop()
    else if (part !== '.') segments.push(part)
  }
  return segments.join('/')
}
