import type { Json, JsonObject } from '../base/json.ts'
import { isJsonObject, jsonWithin } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { capabilityOf, type ToolRef } from '../call/tool-names.ts'
import { isWithinLists, mapTexts, type Sealing } from '../condition/bounds.ts'
import type { Condition } from '../condition/condition.ts'
import type { Program } from '../machine/machine.ts'
import type { CompiledPolicy } from '../policy/compile-policy.ts'
import { conditionsFor } from '../policy/evaluate-policy.ts'
import { mayMean, meantBy } from './meant-rules.ts'

/** What conditions want to know of a call, so that nothing else of it is kept (FC-13). */
export interface CallNeeds {
  /** Names of arguments; null for all of them. */
  readonly args: readonly string[] | null
  /** The files that it reads. */
  readonly files: boolean
  /** The same of a command. */
  readonly shell: boolean
  /** Keyed hashes of its arguments, for facts that are kept so. */
  readonly seals: boolean
  /** Who makes it. */
  readonly caller: boolean
}

const noNeeds: CallNeeds = { args: [], files: false, shell: false, seals: false, caller: false }

/** What the definitions of a program and the policies around it want to know of calls of a tool. */
export function callNeeds(
  program: Program | undefined,
  policies: readonly CompiledPolicy[],
  ref: ToolRef,
): CallNeeds {
  const machines = program === undefined ? [] : [...program.machines.values()]
  const conditions = [
    ...machines.flatMap((machine) => [
      ...meantBy(machine, ref).conditions,
      ...(machine.policy === null ? [] : policyConditions(machine.policy, ref)),
    ]),
    ...policies.flatMap((policy) => policyConditions(policy, ref)),
  ]
  if (conditions.length === 0) return noNeeds
  const isWhole = conditions.some(({ reads }) => reads.args === null)
  return {
    args: isWhole ? null : [...new Set(conditions.flatMap(({ reads }) => reads.args ?? []))],
    files: conditions.some(({ reads }) => reads.variables.has('files')),
    shell: conditions.some(({ reads }) => reads.variables.has('shell')),
    caller: conditions.some(({ reads }) => reads.variables.has('caller')),
    seals: machines.some(({ facts }) => facts.some(({ isPrivate }) => isPrivate)),
  }
}

function policyConditions(policy: CompiledPolicy, ref: ToolRef): Condition[] {
  const needed = [capabilityOf(ref), 'edit', 'write']
  const marks = policy.marks.filter(({ on }) => mayMean(on, ref)).flatMap(({ when }) => when ?? [])
  return [...conditionsFor(policy, { needed, touched: [] }), ...marks]
}

/**
 * The arguments that conditions read, without secrets. Null where they are too long or no object:
 * then none of them is known, or `has` would say of one that it is not there.
 */
export function projectedArguments(
  input: unknown,
  { args }: CallNeeds,
  { hide }: Sealing,
): JsonObject | null | undefined {
  if (args?.length === 0) return undefined
  if (!isJsonObject(input)) return null
  const names = args ?? Object.keys(input)
  const kept = names.filter((name) => Object.hasOwn(input, name) && name !== '__proto__')
  const picked = Object.fromEntries(kept.map((name) => [name, input[name]]))
  const isShort = jsonWithin(picked, { bytes: limits.argumentBytes, depth: limits.jsonDepth })
  if (!isShort || !isWithinLists(picked)) return null
  return mapTexts(picked as JsonObject, hide) as JsonObject // of the input, which is an object
}

/** Keyed hashes of what stands in the arguments: of texts as keys, and of all as JSON values. */
export function sealsOf(args: JsonObject, { seal }: Sealing): Readonly<Record<string, string>> {
  const seals: Record<string, string> = {}
  const add = (text: string) => {
    if (text !== '__proto__') seals[text] = seal(text)
  }
  const visit = (value: Json): void => {
    if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(visit)
      return
    }
    if (typeof value === 'string') add(value)
    add(JSON.stringify(value))
  }
  visit(args)
  return seals
}
