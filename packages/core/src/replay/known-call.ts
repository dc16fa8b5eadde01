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
export function wantsInput(own: Program, changed: ChangedRules, { call }: ToolRequested): boolean {
  const { args, needs, had } = unrecordedOf(own, changed, call)
  return args === null || args.length > 0 || (needs.files && !had.files)
}

/**
 * The call with what the changed rules would read of it, as far as that was recorded or follows
 * from the input that was kept. What is left is missing, and never taken for a no (RP-4).
 */
export function knownCall(
  own: Program,
  changed: ChangedRules,
  event: ToolRequested,
  { input: kept }: StoredTexts,
  workspace: string,
): KnownCall {
  const { call } = event
  const { args, needs, had } = unrecordedOf(own, changed, call)
  const isCallerMissing = needs.caller && !had.caller && event.role === undefined
  const needsFiles = needs.files && !had.files && call.reads === undefined
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

interface UnrecordedOfCall {
  /** Names of arguments that were not recorded; null for all of them. */
  readonly args: readonly string[] | null
  readonly needs: CallNeeds
  readonly had: CallNeeds
}

function unrecordedOf(
  own: Program,
  { program, policy }: ChangedRules,
  call: ToolCall,
): UnrecordedOfCall {
  const ref = namedRef(call)
  const needs = callNeeds(program, policy === null ? [] : [policy], ref)
  const had = callNeeds(own, [], ref)
  // Arguments that were too long are unknown to every rule, then as now.
  if (needs.args?.length === 0 || had.args === null || call.args === null) {
    return { args: [], needs, had }
  }
  if (needs.args === null) return { args: null, needs, had }
  const { args } = call
  const isRecorded = (name: string) =>
    had.args?.includes(name) === true || (args !== undefined && Object.hasOwn(args, name))
  return { args: needs.args.filter((name) => !isRecorded(name)), needs, had }
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
