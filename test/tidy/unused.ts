import { isNode, type Parsed, resolveImport, type SyntaxNode, textOf, walk } from './syntax.ts'
import { type Complaint, isTest, lineOf } from './tree.ts'

export interface FrontDoors {
  /** What is imported by the name of a package, and the file that it means. */
  readonly files: Readonly<Record<string, string>>
  /** Files whose every name programs of others may use. */
  readonly open: readonly string[]
  /** Values that programs of others may use though we do not, with the reason. */
  readonly names: Readonly<Record<string, string>>
}

/** One name that a file takes from another; `*` stands for all of them. */
interface Use {
  readonly path: string
  readonly name: string
}

/**
 * Complaints on exports that nobody needs: what nothing uses is deleted, a value that its own file
 * alone uses is no export, and what only tests use is moved to them. A test of code that never runs
 * proves nothing. A type that stands in what a file gives may be exported with it.
 */
export function unusedExports(files: readonly Parsed[], doors: FrontDoors): Complaint[] {
  const uses = { program: new Set<string>(), test: new Set<string>() }
  const passedOn = new Map<string, Use>()
  for (const file of files) {
    const users = isOnlyForTests(file.path) ? uses.test : uses.program
    for (const use of usesOf(file, doors)) users.add(keyOf(use))
    for (const [name, source] of passedOnBy(file)) passedOn.set(keyOf({ ...file, name }), source)
    for (const name of publicNames(file, doors)) uses.program.add(keyOf({ ...file, name }))
  }
  for (const set of [uses.program, uses.test]) followPassedOn(set, passedOn)
  return files
    .filter(({ path }) => path.startsWith('packages/') && !isOnlyForTests(path))
    .flatMap((file) => complaintsOn(file, uses))
}

/** Programs of others must be able to name what a function takes and gives, so types are theirs. */
function publicNames(file: Parsed, doors: FrontDoors): string[] {
  const isOpen = doors.open.includes(file.path)
  if (!isOpen && !Object.values(doors.files).includes(file.path)) return []
  return exportsOf(file)
    .filter(({ name, isType }) => isOpen || isType || Object.hasOwn(doors.names, name))
    .map(({ name }) => name)
}

function complaintsOn(
  file: Parsed,
  uses: { readonly program: ReadonlySet<string>; readonly test: ReadonlySet<string> },
): Complaint[] {
  const isUsed = (set: ReadonlySet<string>, name: string) =>
    set.has(keyOf({ ...file, name })) || set.has(keyOf({ ...file, name: '*' }))
  return exportsOf(file).flatMap(({ name, node, isType, isPassedOn }) => {
    if (isUsed(uses.program, name)) return []
    const isTested = isUsed(uses.test, name)
    const isUsedHere = !isPassedOn && isMentioned(file, name)
    // What runs here may be looked at by a test: it is no dead code.
    if (isUsedHere && (isType || isTested)) return []
    const message = isTested
      ? `only tests use ${name}`
      : isUsedHere
        ? `${name} is used in its own file only`
        : `nothing uses ${name}`
    return [{ path: file.path, line: lineOf(file.text, node.start), message }]
  })
}

/** Programs of ours that prove, measure or show: what they alone use does not run for anybody. */
function isOnlyForTests(path: string): boolean {
  return isTest(path) || /^(bench|examples)\//.test(path)
}

function usesOf(file: Parsed, doors: FrontDoors): Use[] {
  const found: Use[] = []
  walk(file.program, (node) => {
    const isImport = node.type === 'ImportDeclaration'
    if (!isImport && node.type !== 'ImportExpression' && node.type !== 'TSImportType') return
    const from = textOf(node.source) ?? ''
    const path = resolveImport(file.path, from) ?? doors.files[from]
    if (path === undefined) return
    const names = isImport ? importedFrom(node) : ['*']
    found.push(...names.map((name) => ({ path, name })))
  })
  return found
}

function importedFrom(node: SyntaxNode): string[] {
  return nodesIn(node.specifiers).map((one) =>
    one.type === 'ImportSpecifier' ? (nameOf(one.imported) ?? '*') : '*',
  )
}

/** `export { a } from './b.ts'`: the name is used when somebody uses it from here. */
function passedOnBy(file: Parsed): [string, Use][] {
  return nodesIn(file.program.body).flatMap((node) => {
    const from = node.type === 'ExportNamedDeclaration' ? textOf(node.source) : undefined
    const path = from === undefined ? undefined : resolveImport(file.path, from)
    if (path === undefined) return []
    return nodesIn(node.specifiers).map((one): [string, Use] => [
      nameOf(one.exported) ?? '',
      { path, name: nameOf(one.local) ?? '' },
    ])
  })
}

function followPassedOn(used: Set<string>, passedOn: ReadonlyMap<string, Use>): void {
  // A set hands out what is added while it is walked, so that a chain of doors is followed.
  for (const key of used) {
    const source = passedOn.get(key)
    if (source !== undefined) used.add(keyOf(source))
  }
}

interface Export {
  readonly name: string
  readonly node: SyntaxNode
  readonly isType: boolean
  readonly isPassedOn: boolean
}

function exportsOf(file: Parsed): Export[] {
  return nodesIn(file.program.body).flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const isPassedOn = textOf(node.source) !== undefined
    const named = nodesIn(node.specifiers).map((one) => ({
      name: nameOf(one.exported),
      isType: node.exportKind === 'type' || one.exportKind === 'type',
    }))
    const isType = node.exportKind === 'type'
    const declared = declaredBy(node.declaration).map((name) => ({ name, isType }))
    return [...named, ...declared].flatMap(({ name, isType }) =>
      name === undefined ? [] : [{ name, node, isType, isPassedOn }],
    )
  })
}

function declaredBy(node: unknown): (string | undefined)[] {
  if (!isNode(node)) return []
  if (node.type !== 'VariableDeclaration') return [nameOf(node.id)]
  return nodesIn(node.declarations).map((one) => nameOf(one.id))
}

/** Whether a name is used beside its declarations; a schema and its type share one. */
function isMentioned(file: Parsed, name: string): boolean {
  let isUsed = false
  walk(file.program, (node, above) => {
    if (isUsed || node.type !== 'Identifier' || node.name !== name) return
    // Whoever calls itself alone is not called.
    isUsed = !above.some((one) => nameOf(one.id) === name)
  })
  return isUsed
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.name === 'string' ? node.name : undefined
}

function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function keyOf({ path, name }: Use): string {
  return `${path} ${name}`
}
