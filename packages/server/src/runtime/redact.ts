import type { RunEvent } from '@statewright/core'
import { hidesSecrets, secretName } from './secret-shapes.ts'

export const redacted = '[redacted]'

/**
 * History is kept for long and shown to many, so that a key which an agent pasted into a command
 * must not live on in it.
 */
export function redactText(text: string): string {
  if (!mayHoldSecret(text)) return text
  let kept = text
  for (const shape of hidesSecrets.whole) kept = kept.replaceAll(shape, redacted)
  // What leads to the value stays: it says what was left out.
  for (const shape of hidesSecrets.led) kept = kept.replaceAll(shape, `$1${redacted}`)
  return kept
}

function mayHoldSecret(text: string): boolean {
  return hidesSecrets.quickLooks.some((look) => look.test(text))
}

/** The input as it is kept beside the history. */
export function redactInput(input: unknown): string {
  const text = JSON.stringify(input) ?? 'null'
  return mayHoldSecret(text) ? JSON.stringify(redactValue(input, redactField)) : text
}

/** A field may say by its name what it holds, however short that is. */
function redactField(text: string, name: string): string {
  return text !== '' && secretName.test(name) ? redacted : redactText(text)
}

/**
 * Redacts an event before it is reduced, so that what is stored is what was decided on and replay
 * still fits. Only strings that look secret change: guards read fields, whatever their name.
 */
export function redactEvent<Event extends RunEvent>(event: Event): Event {
  if (!mayHoldSecret(JSON.stringify(event))) return event
  return redactValue(event, redactText) as Event // The same shape: only strings were replaced.
}

function redactValue(value: unknown, redact: Redact, name = ''): unknown {
  if (typeof value === 'string') return redact(value, name)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, name))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([key, item]) => [key, redactValue(item, redact, key)]))
}

type Redact = (text: string, name: string) => string
