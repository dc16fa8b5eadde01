import { isNode, parse, resolveImport, type SyntaxNode, walk } from '../../test/tidy/syntax.ts'

/** A declaration as others see it: without comments, bodies and private parts. */
export interface Declaration {
  readonly name: string
  readonly text: string
  /** Types of ours that its text mentions, with the file that declares them. */
  readonly mentions: readonly { readonly name: string; readonly path: string }[]
}

/** Everything that a file declares at its top, by name; a type comes before a value of its name. */
export function declarationsIn(path: string, text: string): ReadonlyMap<string, Declaration> {
  const file = parse({ path, text })
  const imported = importsIn(path, file.program)
  const found = new Map<string, Declaration>()
  for (const statement of nodes(file.program.body)) {
    const node = isNode(statement.declaration) ? statement.declaration : statement
    const name = isNode(node.id) ? String(node.id.name) : undefined
    if (name === undefined || (found.has(name) && node.type !== 'TSTypeAliasDeclaration')) continue
    const mentions = typeNames(node)
      .filter((one) => one !== name)
      .map((one) => imported.get(one) ?? { name: one, path })
    found.set(name, { name, text: shownText(text, node, file.comments), mentions })
  }
  return found
}

/** `export { local as name } from './file.ts'`, each with the file it comes from. */
export function passedOn(path: string, text: string) {
  return nodes(parse({ path, text }).program.body).flatMap((node) => {
    const from = isNode(node.source) ? String(node.source.value) : ''
    const target = node.type === 'ExportNamedDeclaration' ? resolveImport(path, from) : undefined
    if (target === undefined) return []
    return nodes(node.specifiers).map((one) => ({
      name: nameIn(one.exported),
      local: nameIn(one.local),
      path: target,
    }))
  })
}

function importsIn(path: string, program: SyntaxNode) {
  const found = new Map<string, { readonly name: string; readonly path: string }>()
  for (const node of nodes(program.body)) {
    if (node.type !== 'ImportDeclaration' || !isNode(node.source)) continue
    const target = resolveImport(path, String(node.source.value))
    for (const one of nodes(node.specifiers)) {
      // What another package declares is named, not followed.
      found.set(nameIn(one.local), { name: nameIn(one.imported), path: target ?? path })
    }
  }
  return found
}

/** Names of types in a signature; what a body or a schema mentions is nobody's affair. */
function typeNames(node: SyntaxNode): string[] {
  const found = new Set<string>()
  walk(node, (one, above) => {
    if ([...above, one].some(isHidden)) return
    const named = one.type === 'TSTypeReference' ? one.typeName : undefined
    const inherited = one.type === 'TSInterfaceHeritage' ? one.expression : undefined
    for (const name of [named, inherited, node.superClass]) {
      if (isNode(name) && name.type === 'Identifier') found.add(nameIn(name))
    }
  })
  return [...found]
}

/** Bodies, values, members that are private, and keys that have no name outside. */
function isHidden(node: SyntaxNode): boolean {
  if (node.type === 'BlockStatement') return true
  if (node.type === 'TSPropertySignature') return node.computed === true
  return node.type === 'PropertyDefinition' && nameType(node) === 'PrivateIdentifier'
}

function nameType(node: SyntaxNode): string {
  return isNode(node.key) ? node.key.type : ''
}

function shownText(
  text: string,
  node: SyntaxNode,
  comments: readonly { readonly start: number; readonly end: number }[],
): string {
  const cuts = comments.filter(({ start, end }) => start >= node.start && end <= node.end)
  const hidden: { start: number; end: number }[] = [...cuts]
  walk(node, (one) => {
    if (isHidden(one)) hidden.push(one)
  })
  let shown = ''
  let at = node.start
  for (const { start, end } of hidden.sort((one, other) => one.start - other.start)) {
    if (start < at) continue
    shown += text.slice(at, start)
    at = end
  }
  shown += text.slice(at, node.end)
  const value = node.type === 'VariableDeclarator' ? ' = …' : ''
  return `${shown}${value}`
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim()
}

function nodes(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function nameIn(node: unknown): string {
  return isNode(node) ? String(node.name) : ''
}
