import { isJsonObject } from '../base/json.ts'
import { own } from '../base/own.ts'
import { toolRef } from '../call/tool-names.ts'
import { allowsTool } from '../call/tool-pattern.ts'
import { pathsIn } from '../condition/walk.ts'
import type { Program } from '../machine/machine.ts'
import type { ObservedResult } from '../run/read-result.ts'
import type { CallMove } from './moves.ts'
import type { SampleCall } from './sample-call.ts'
import type { WayStep } from './search-terms.ts'
import type { Study } from './study.ts'

/**
 * Where conditions are free a call stands for all of its kind, so that a way to the refund of one
 * order may have read another. These are the same ways with calls that read what the claim's call
 * is about: first without a result, then with each that was named for such a call.
 */
export function waysAbout(
  { program, calls }: Study,
  way: readonly WayStep[],
  call: SampleCall | undefined,
): (readonly WayStep[])[] {
  if (call === undefined) return [way]
  const about = way.map((step) => {
    return step.move.kind === 'call' ? { ...step, move: sameKeys(program, step.move, call) } : step
  })
  const named = calls.telling.flatMap(({ tool, result }) => (result ? [{ tool, result }] : []))
  return [about, ...named.slice(0, maxResults).map((one) => withResult(about, one))]
}

const maxResults = 16

function sameKeys(program: Program, move: CallMove, { tool, input }: SampleCall): CallMove {
  if (move.tool === tool || !isJsonObject(move.input) || !isJsonObject(input)) return move
  const names = keysTaughtBy(program, move.tool)
  const same = names.flatMap((name) => {
    const value = own(input, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...move, input: { ...move.input, ...Object.fromEntries(same) } }
}

/** Arguments that tell what a fact is known of, where this tool teaches one. */
function keysTaughtBy({ machines }: Program, tool: string): string[] {
  const facts = [...machines.values()].flatMap((machine) => machine.facts)
  const taught = facts.filter(({ from }) => allowsTool(from, toolRef(tool)))
  return taught.flatMap(({ key }) =>
    key === null
      ? []
      : pathsIn(key.expression.ast).flatMap(({ path: { root, names } }) =>
          root === 'args' ? names.slice(0, 1) : [],
        ),
  )
}

function withResult(
  way: readonly WayStep[],
  { tool, result }: { readonly tool: string; readonly result: ObservedResult },
): readonly WayStep[] {
  return way.map((step) => {
    const { move } = step
    if (move.kind !== 'call' || move.tool !== tool || move.exit !== 'success') return step
    return { ...step, move: { ...move, result } }
  })
}
