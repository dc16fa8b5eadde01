import { z } from 'zod'
import { own } from '../base/own.ts'
import { streamEventTypes } from './kinds.ts'
import { AnyJson } from './records.ts'

/** One piece of a model's answer, as it is sent on `agent:stream_event` (SE-13). */
export const StreamEvent = z.looseObject({
  schemaVersion: z.literal('1.0'),
  eventId: z.string(),
  sessionId: z.string(),
  harness: z.string(),
  provider: z.string().optional(),
  streamId: z.string(),
  /** Counts from 1 within its stream. */
  seq: z.int().min(1),
  timestampMs: z.number(),
  type: z.enum(streamEventTypes),
  payload: z.record(z.string(), AnyJson),
})
export type StreamEvent = z.infer<typeof StreamEvent>

/** The text of a payload's field; what a peer forgot or misspelled is empty, never a fault. */
export function payloadText(event: Pick<StreamEvent, 'payload'>, key: string): string {
  const value = own(event.payload, key)
  return typeof value === 'string' ? value : ''
}

export function payloadNumber(event: Pick<StreamEvent, 'payload'>, key: string): number {
  const value = own(event.payload, key)
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** The code of an `error` that tells of a hole in the stream; the stream itself goes on. */
export const streamGapCode = 'stream_gap'

/** The code of an `error` that says: the conversation does not fit into the model's window. */
export const contextTooLongCode = 'context_too_long'

/**
 * What a command of a session printed while it runs. It is told to anyone who looks on and never
 * stored: anyone who comes later reads the end of it, and then the result (SE-21).
 */
export const OutputEvent = z.looseObject({
  type: z.literal('output'),
  sessionId: z.string(),
  /** The tool run or hook run that printed it. */
  runId: z.string(),
  timestampMs: z.number(),
  /** How many characters of the run come before the text, those that are left out included. */
  at: z.number(),
  text: z.string(),
})
export type OutputEvent = z.infer<typeof OutputEvent>
