import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import type { OutputEvent } from './stream-event.ts'
import type { AgentView } from './view.ts'

export function foldOutput(view: AgentView, event: OutputEvent): AgentView {
  const { runId, text, at } = event
  // Its end may have come first, over another connection.
  const item = view.items.find((one) => runOf(one) === runId)
  if (item !== undefined && 'status' in item && isOver(item.status)) return view
  const before = own(view.live, runId) ?? { text: '', total: 0, skipped: 0 }
  const total = at + text.length
  // A reader that came again gets the end of it once more.
  if (total <= before.total) return view
  const skipped = Math.max(0, at - before.total)
  const whole = skipped > 0 ? text : before.text + text.slice(before.total - at)
  const output = { text: whole.slice(-limits.liveOutputLength), total, skipped }
  return { ...view, live: { ...view.live, [runId]: output } }
}

/** Of a run that has ended the result is shown. */
export function endOutput(view: AgentView, runId: string, status: string): AgentView {
  if (!isOver(status) || own(view.live, runId) === undefined) return view
  const { [runId]: _, ...live } = view.live
  return { ...view, live }
}

function runOf(item: AgentView['items'][number]): string | undefined {
  if (item.kind === 'tool') return item.runId
  return item.kind === 'hook' ? item.id : undefined
}

function isOver(status: string): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}
