import { canonicalTool } from '@statewright/core/internal'
import type { TranscriptEvent } from '../../transcripts/transcript.ts'
import type { TextBefore } from './transcribe.ts'

export interface AheadEvent {
  readonly event: TranscriptEvent
  readonly textBefore: TextBefore
}

const maxAhead = 64
const editing: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit'])

/**
 * The events in their order. What a file held before an edit is written down with its result: an
 * edit waits for that, as long as it comes soon.
 */
export async function* lookAhead(
  events: AsyncIterable<TranscriptEvent>,
): AsyncGenerator<AheadEvent> {
  const waiting: TranscriptEvent[] = []
  const ended = new Map<string, TextBefore>()
  for await (const event of events) {
    waiting.push(event)
    if (event.kind === 'result') ended.set(event.id, textBeforeOf(event.before))
    while (waiting.length > 0 && (waiting.length > maxAhead || isReady(waiting[0], ended)))
      yield taken(waiting, ended)
  }
  while (waiting.length > 0) yield taken(waiting, ended)
}

function isReady(event: TranscriptEvent | undefined, ended: ReadonlyMap<string, unknown>): boolean {
  if (event?.kind !== 'call') return true
  return !editing.has(canonicalTool(event.tool)) || ended.has(event.id)
}

function taken(waiting: TranscriptEvent[], ended: Map<string, TextBefore>): AheadEvent {
  const [event] = waiting.splice(0, 1)
  if (event === undefined) throw new Error('bug: somebody waits')
  const id = event.kind === 'call' ? event.id : ''
  const textBefore = ended.get(id) ?? nobodyKnows
  if (event.kind === 'result') ended.delete(event.id)
  return { event, textBefore }
}

function textBeforeOf(before: { path: string; text: string | null } | undefined): TextBefore {
  return (path) => (before?.path === path ? before.text : undefined)
}

function nobodyKnows(): undefined {
  return undefined
}
