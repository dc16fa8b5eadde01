import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { isJsonObject, phrase } from '@statewright/core/internal'
import { realOf } from '../base/looks.ts'
import type { CallRequest } from '../guard/guarded-call.ts'
import { recordUnjudged } from '../runtime/blocks/unjudged.ts'
import { activeOfSession } from '../runtime/runs/find-run.ts'
import type { HookCall } from './hook-call.ts'
import type { JudgedPath } from './tool-uses.ts'

const pathFields = /^(?:file_?path|path|notebook_?path|absolute_?path|target_?file)$/i

export function judgedPaths({ input, cwd }: CallRequest): readonly JudgedPath[] {
  if (!isJsonObject(input)) return []
  return Object.entries(input).flatMap(([field, value]) => {
    if (!pathFields.test(field) || typeof value !== 'string' || value.includes('\0')) return []
    if (cwd === undefined && !isAbsolute(value)) return []
    const named = resolve(cwd ?? '/', value)
    const path = join(realOf(dirname(named)), basename(named))
    return [{ path, real: realOf(path) }]
  })
}

/**
 * A client opens a file by its path after we answered. Whoever swaps the file for a link in between
 * has it open another one, which nobody judged: where the path leads elsewhere by now, that is
 * written down. A link that was replaced by a file is how some editors save.
 */
export async function noteSwapped(hook: HookCall, callId: string, tool: string): Promise<void> {
  const { runtime, caller, call, toolUses, onUnjudged } = hook
  const swapped = toolUses.takeJudged(caller, callId).find(({ path, real }) => {
    const now = realOf(path)
    return now !== real && now !== path
  })
  if (swapped === undefined) return
  const live = await activeOfSession(runtime, caller, call.session)
  if (live === undefined) return
  const { runId } = live.row
  const text = phrase('path_swapped', { tool, call: callId, path: swapped.path })
  onUnjudged?.(runId, swapped.path)
  await recordUnjudged(runtime, caller, { runId, count: 1, text })
}
