import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNode, parse, resolveImport, type SyntaxNode } from '../tidy/syntax.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Example {
  /** Where it stands, with the line it begins on. */
  readonly name: string
  readonly code: string
  /** The lines that it says it prints. */
  readonly printed: readonly string[]
}

/** A name that a front door gives to others. */
export interface PublicName {
  readonly name: string
  /** The file that declares it. */
  readonly path: string
  /** Its doc comment, without the stars. */
  readonly doc: string
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Programs of a page: its blocks of TypeScript. */
export function pageExamples(path: string): Example[] {
  return [...textOf(path).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: code = '', index }) =>
    exampleOf(path, index, code),
  )
}

/** Programs in doc comments: what stands below `@example`. */
export function docExamples(path: string): Example[] {
  return [...textOf(path).matchAll(/^\/\*\*[\s\S]*?\*\//gm)].flatMap(({ 0: comment, index }) => {
    const [, code] = withoutStars(comment).split('@example\n')
    return code === undefined ? [] : [exampleOf(path, index, code)]
  })
}

function exampleOf(path: string, index: number, code: string): Example {
  const line = textOf(path).slice(0, index).split('\n').length
  return { name: `${path}:${line}`, code, printed: printedBy(code) }
}

/** What stands behind `console.log(…) //`, or in the comments right below it. */
function printedBy(code: string): string[] {
  const lines = code.split('\n')
  return lines.flatMap((line, index) => {
    if (!/^\s*(?:.*\s)?console\.log\(/.test(line)) return []
    const [, behind] = /\) \/\/ (.+)$/.exec(line) ?? []
    if (behind !== undefined) return [behind]
    const below = lines.slice(index + 1)
    const end = below.findIndex((one) => !one.startsWith('// '))
    return below.slice(0, end < 0 ? below.length : end).map((one) => one.slice('// '.length))
  })
}

function withoutStars(comment: string): string {
  return comment
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .replace(/^ \* ?/gm, '')
}

/** Everything that a front door passes on, with what its declaration says of it. */
export function publicNames(entry: string): PublicName[] {
  const file = parse({ path: entry, text: textOf(entry) })
  return nodes(file.program.body).flatMap((node) => {
    const from = node.type === 'ExportNamedDeclaration' && isNode(node.source) ? node.source : null
    const path = from === null ? undefined : resolveImport(entry, String(from.value))
    if (path === undefined) return []
    return nodes(node.specifiers).map((one) => {
      const [local, name] = [nameIn(one.local), nameIn(one.exported)]
      return { name, path, doc: docOf(path, local) }
    })
  })
}

/** The comment that ends where the declaration begins. */
function docOf(path: string, name: string): string {
  const text = textOf(path)
  const declared = new RegExp(
    `^export (?:async )?(?:function|interface|type|const|class) ${name}\\b`,
    'm',
  )
  const before = text.slice(0, declared.exec(text)?.index ?? 0)
  const start = before.lastIndexOf('/**')
  const isBeside = start >= 0 && /\*\/\s*$/.test(before)
  return isBeside ? withoutStars(before.slice(start).trimEnd()) : ''
}

function nodes(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function nameIn(node: unknown): string {
  return isNode(node) ? String(node.name) : ''
}
