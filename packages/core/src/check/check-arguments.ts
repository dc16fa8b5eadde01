import type { Condition } from '../condition/condition.ts'
import { pathsIn, walk } from '../condition/walk.ts'
import { type Finding, finding, type Path } from '../definition/finding.ts'
import { didYouMean, quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import { type ToolArguments, toolArguments } from './tool-arguments.ts'

/** `args.x` for tools that have no `x`, and comparisons with a value of another type (FC-6). */
export function argumentFindings(
  condition: Condition,
  path: Path,
  tools: readonly string[],
  check: CheckContext,
): Finding[] {
  return tools.flatMap((tool) => {
    const known = toolArguments(tool, check.tools)
    if (known === undefined) return []
    return [...unknownArguments(condition, path, tool, known), ...misfits(condition, path, known)]
  })
}

function unknownArguments(
  { reads }: Condition,
  path: Path,
  tool: string,
  known: ToolArguments,
): Finding[] {
  if (known.isOpen) return []
  const names = [...known.types.keys()]
  return (reads.args ?? [])
    .filter((name) => !known.types.has(name))
    .map((name) => {
      const message = `${tool} has no argument ${quote(name)}.${didYouMean(name, names)}`
      return finding('unknown_argument', path, message)
    })
}

type Node = Condition['expression']['ast']

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

/** `args.amount == "5"` where the amount is a number is never true. */
function misfits({ expression, text }: Condition, path: Path, known: ToolArguments): Finding[] {
  const typeOf = new Map<number, string>()
  for (const { node, path: written } of pathsIn(expression.ast)) {
    const [name, ...more] = written.names
    if (written.root !== 'args' || name === undefined || more.length > 0) continue
    const type = known.types.get(name)
    // Nothing is known of the type of one whose schema is silent.
    if (type !== undefined && type !== 'any' && written.isWhole) typeOf.set(node.start, type)
  }
  const findings: Finding[] = []
  walk(expression.ast, ({ op, args }) => {
    if (!comparisons.has(op) || !Array.isArray(args)) return
    const [left, right] = args as [Node, Node] // both sides of a comparison
    compare(left, right)
    compare(right, left)
  })
  return findings

  function compare(side: { start: number }, other: { op: string; args: unknown }): void {
    const wanted = typeOf.get(side.start)
    if (wanted === undefined || other.op !== 'value') return
    const given = typeof other.args === 'bigint' ? 'number' : typeof other.args
    if (given === wanted || given === 'object') return
    const message = `The condition compares a ${wanted} with a ${given}: ${quote(text)}.`
    findings.push(finding('condition_type', path, message))
  }
}
