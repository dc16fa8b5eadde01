import { isNode, type Parsed, type SyntaxNode, walk } from './syntax.ts'
import { type Complaint, lineOf } from './tree.ts'

const maxLines = 60

export interface LongFunction {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly lines: number
}

/** Functions that do not fit on a screen. */
export function longFunctions(file: Parsed): LongFunction[] {
  const found: LongFunction[] = []
  walk(file.program, (node, above) => {
    if (!/Function/.test(node.type) || !isNode(node.body)) return
    const line = lineOf(file.text, node.start)
    const lines = lineOf(file.text, node.end) - line + 1
    if (lines > maxLines) found.push({ path: file.path, name: nameOf(node, above), line, lines })
  })
  return found
}

/** Complaints on long functions that the list does not know, or that have grown since. */
export function tooLongFunctions(
  found: readonly LongFunction[],
  known: Readonly<Record<string, readonly [lines: number, why: string]>>,
): Complaint[] {
  return found
    .filter(({ path, name, lines }) => lines > (known[`${path} ${name}`]?.[0] ?? maxLines))
    .map(({ path, line, name, lines }) => ({ path, line, message: `${name} has ${lines} lines` }))
}

/** A switch that does not say what happens otherwise: `unreachable` where nothing is left. */
export function openSwitches(file: Parsed): Complaint[] {
  const found: Complaint[] = []
  walk(file.program, (node) => {
    if (node.type !== 'SwitchStatement' || !Array.isArray(node.cases)) return
    const isClosed = node.cases.some((one) => isNode(one) && one.test === null)
    if (isClosed) return
    const line = lineOf(file.text, node.start)
    found.push({ path: file.path, line, message: 'has a switch without a default' })
  })
  return found
}

function nameOf(node: SyntaxNode, above: readonly SyntaxNode[]): string {
  const outer = above.at(-1)
  const named = [node.id, outer?.id, outer?.key].find((one) => isNode(one) && 'name' in one)
  return isNode(named) ? String(named.name) : 'a function without a name'
}
