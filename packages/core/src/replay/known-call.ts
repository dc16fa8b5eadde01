import { BoundedMap } from '../base/bounded-map.ts'
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts'
import { workspacePath } from '../call/paths.ts'
import { openSealing } from '../condition/bounds.ts'
import { type CallNeeds, callNeeds, projectedArguments } from '../decide/call-needs.ts'
import { namedRef } from '../decide/describe-call.ts'
import { filesRead } from '../decide/files-read.ts'
import type { Program } from '../machine/machine.ts'
import type { ToolRequested } from '../run/events.ts'
import type { ToolCall } from '../run/tool-call.ts'
import type { ChangedRules, MissingOfCall } from './readings.ts'

/** What stands for a secret in what was kept. */
export const redacted = '[redacted]'

/** Texts that lie beside the history, as far as they were kept. */
export interface StoredTexts {
  readonly input?: string | undefined
  readonly output?: string | undefined
}

export interface KnownCall {
  readonly call: ToolCall
  readonly missing: MissingOfCall
}

/** Whether the changed rules would read more of a call than was recorded of it. */
export function wantsInput(rules: NeedsOfCalls, { call }: ToolRequested): boolean {
  const { args, files } = unrecordedOf(rules, call)
  return files || args === null || args.length > 0
}

/**
 * The call with what the changed rules would read of it, as far as that was recorded or follows
 * from the input that was kept. What is left is missing, and never taken for a no (RP-4).
 */
export function knownCall(
  rules: NeedsOfCalls,
  event: ToolRequested,
  { input: kept }: StoredTexts,
  workspace: string,
): KnownCall {
  const { call } = event
  const { args, files: needsFiles, needs, had } = unrecordedOf(rules, call)
  const isCallerMissing = needs.caller && !had.caller && event.role === undefined
  if (args?.length === 0 && !needsFiles) {
    return { call, missing: { ...nothing, caller: isCallerMissing } }
  }
  const input = parsed(kept)
  if (input === undefined) {
    const missing = { args: args === null ? null : new Set(args), files: needsFiles }
    return { call, missing: { ...nothing, ...missing, caller: isCallerMissing } }
  }
  const found =
    args?.length === 0 ? undefined : projectedArguments(input, { ...needs, args }, openSealing)
  const hidden = new Set(
    Object.entries(found ?? {})
      .filter(isHidden)
      .map(([name]) => name),
  )
  const reads = needsFiles ? readFiles(call, input, workspace) : undefined
  return {
    call: {
      ...call,
      ...(found === undefined ? {} : { args: joined(call.args, found) }),
      ...(reads === undefined ? {} : { reads }),
    },
    missing: {
      args: hidden,
      unsealed: needs.seals && found !== undefined,
      files: isHidden(['', reads ?? null]),
      caller: isCallerMissing,
    },
  }
}

const nothing: MissingOfCall = { args: new Set(), unsealed: false, files: false, caller: false }

interface NeedsOfTool {
  /** What the changed rules read of its calls. */
  readonly needs: CallNeeds
  /** What the recorded ones did. */
  readonly had: CallNeeds
}

/** Agents may ask for tools of any name; so many are kept in mind. */
const maxTools = 1000

/** What the rules before and after the change read of calls, looked up once for each tool. */
export class NeedsOfCalls {
  readonly #own: Program
  readonly #changed: ChangedRules
  readonly #known = new BoundedMap<string, NeedsOfTool>(maxTools)

  constructor(own: Program, changed: ChangedRules) {
    this.#own = own
    this.#changed = changed
  }

  of(call: ToolCall): NeedsOfTool {
    const key = JSON.stringify([call.server ?? null, call.tool, call.listed ?? null])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { program, policy } = this.#changed
    const ref = namedRef(call)
    const needs = callNeeds(program, policy === null ? [] : [policy], ref)
    const made = { needs, had: callNeeds(this.#own, [], ref) }
    this.#known.set(key, made)
    return made
  }
}

interface UnrecordedOfCall extends NeedsOfTool {
  /** Names of arguments that were not recorded; null for all of them. */
  readonly args: readonly string[] | null
  /** Files that it reads; those of edits and commands are always recorded. */
  readonly files: boolean
}

function unrecordedOf(rules: NeedsOfCalls, call: ToolCall): UnrecordedOfCall {
  const { needs, had } = rules.of(call)
  const { args, edits, shell, reads } = call
  const isRead = edits === undefined && shell === undefined && reads === undefined
  const both = { needs, had, files: needs.files && !had.files && isRead }
  // Arguments that were too long are unknown to every rule, then as now.
  if (needs.args?.length === 0 || had.args === null || args === null) return { ...both, args: [] }
  if (needs.args === null) return { ...both, args: null }
  const isRecorded = (name: string) =>
    had.args?.includes(name) === true || (args !== undefined && Object.hasOwn(args, name))
  return { ...both, args: needs.args.filter((name) => !isRecorded(name)) }
}

function joined(recorded: JsonObject | null | undefined, found: JsonObject | null) {
  return found === null ? null : { ...found, ...recorded }
}

function readFiles(call: ToolCall, input: unknown, workspace: string) {
  const paths = filesRead(namedRef(call), input)
  return paths?.map((path) => workspacePath(path, workspace)) ?? paths
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isHidden([, value]: readonly [string, Json]): boolean {
  if (typeof value === 'string') return value.includes(redacted)
  if (Array.isArray(value)) return value.some((item: Json) => isHidden(['', item]))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some((one) => one[0].includes(redacted) || isHidden(one))
}
