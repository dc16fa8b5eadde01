import { isJsonObject, runView, stateOfCaller } from '@statewright/core/internal'
import { actorOf } from '../../base/caller.ts'
import type { OpenCall } from '../../guard/guarded-call.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { JsonParams } from '../../upstream/upstream.ts'

/** Bytes of results that the state has left (WF-11); null where it has no budget. */
export async function roomFor(
  runtime: Runtime,
  { runId, caller }: OpenCall,
): Promise<number | null> {
  const live = runId === null ? undefined : await runtime.live.get(runId)
  if (live === undefined) return null
  const { program, snapshot } = live
  const by = actorOf(caller)
  const state = stateOfCaller(program, snapshot, by)
  // Most states have none, and every call comes by here.
  if (state !== null && !Number.isFinite(state.contextBudgetBytes)) return null
  // Core's own view: the one for doors would read the files that evidence depends on.
  const { bytes, context_budget_bytes: budget } = runView(program, snapshot, by).limits
  return budget === null ? null : Math.max(0, budget - bytes)
}

/**
 * A result that would pass the budget loses its end, and says so. What is no text cannot be cut and
 * is left out; without its structured content it is an error, since clients hold that against the
 * schema of the tool.
 */
export function cutResult(result: JsonParams, room: number | null): JsonParams {
  const { content, structuredContent, ...rest } = result
  if (room === null || !Array.isArray(content)) return result
  if (sizeOf(content) + sizeOf(structuredContent) <= room) return result
  let left = room
  const kept: unknown[] = []
  for (const part of content) {
    const text = isJsonObject(part) && part.type === 'text' ? part.text : undefined
    const whole = sizeOf(part)
    if (whole <= left) kept.push(part)
    else if (typeof text === 'string') kept.push({ type: 'text', text: cutText(text, left) })
    left = Math.max(0, left - whole)
  }
  kept.push({ type: 'text', text: notice })
  return { ...rest, content: kept, ...(structuredContent === undefined ? {} : { isError: true }) }
}

const notice =
  '[STATEWRIGHT] The result was cut here: the context budget of this state is used up. ' +
  'Send an event to go on.'

/** The text as far as it fits in UTF-8, never half a character. */
function cutText(text: string, bytes: number): string {
  const whole = Buffer.from(text, 'utf8')
  const cut = whole.subarray(0, bytes).toString('utf8')
  return cut.endsWith('\uFFFD') && !text.includes('\uFFFD') ? cut.replace(/\uFFFD+$/, '') : cut
}

export function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}
