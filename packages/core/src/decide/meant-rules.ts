import { BoundedMap } from '../base/bounded-map.ts'
import { judgedTool, type ToolRef } from '../call/tool-names.ts'
import { allowsTool, type ToolList } from '../call/tool-pattern.ts'
import type { Condition } from '../condition/condition.ts'
import type { CallRule } from '../condition/rules.ts'
import type { Machine } from '../machine/machine.ts'

/** What of a definition can speak of calls of one tool. */
export interface MeantRules {
  /** Of the definition as a whole; those of a state are few. */
  readonly calls: readonly CallRule[]
  /** Everything that is read for such a call or its result, rules of the policy aside. */
  readonly conditions: readonly Condition[]
}

/** Agents may ask for tools of any name; so many are kept in mind. */
const maxTools = 1000

/** A definition never changes, so that what means a tool is looked up once. */
const known = new WeakMap<Machine, BoundedMap<string, MeantRules>>()

export function meantBy(machine: Machine, ref: ToolRef): MeantRules {
  const tools = known.get(machine) ?? new BoundedMap<string, MeantRules>(maxTools)
  known.set(machine, tools)
  const key = JSON.stringify([ref.server ?? null, ref.tool, ref.listed ?? null])
  const found = tools.get(key)
  if (found !== undefined) return found
  const meant = lookUp(machine, ref)
  tools.set(key, meant)
  return meant
}

function lookUp({ calls, facts, marks, interrupts, states }: Machine, ref: ToolRef): MeantRules {
  const means = (list: ToolList) => mayMean(list, ref)
  const own = calls.filter(({ tools }) => means(tools))
  const inStates = [...states.values()].flatMap((state) => state.calls)
  const conditions = [
    ...[...own, ...inStates.filter(({ tools }) => means(tools))].map(({ require }) => require),
    ...facts
      .filter(({ from }) => means(from))
      .flatMap(({ when, each, key, value }) => [when, each, key, value]),
    ...marks.filter(({ on }) => means(on)).map(({ when }) => when),
    ...interrupts.filter(({ tools }) => tools === null || means(tools)).map(({ when }) => when),
  ]
  return { calls: own, conditions: conditions.filter((condition) => condition !== null) }
}

/** Edits are judged by what they do: a condition on one of these tools may mean another. */
const editors: readonly string[] = ['Edit', 'Write', 'NotebookEdit']

export function mayMean(list: ToolList, ref: ToolRef): boolean {
  if (allowsTool(list, ref)) return true
  const judged = judgedTool(ref)
  if (judged === undefined) return false
  // `BASH` is on no list, and does what `Bash` does.
  if (allowsTool(list, { tool: judged })) return true
  if (judged === 'Bash') return list.commandPatterns.length > 0
  return editors.includes(judged) && editors.some((tool) => allowsTool(list, { tool }))
}
