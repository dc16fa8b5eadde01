import type { RunEvent } from '@statewright/core'

/**
 * Values that look like secrets. History is kept for long and shown to many, so that a key which
 * an agent pasted into a command must not live on in it.
 */
const shapes = [
  'sk-[A-Za-z0-9_-]{16,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'xox[abprs]-[A-Za-z0-9-]{10,}',
  'AKIA[0-9A-Z]{16}',
  'AIza[0-9A-Za-z_-]{30,}',
  'npm_[A-Za-z0-9]{30,}',
  'eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{5,}',
  'sw_[a-z]+_[A-Za-z0-9_-]{20,}',
]
const secrets = new RegExp(`\\b(?:${shapes.join('|')})`, 'g')

const privateKey =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

export const redacted = '[redacted]'

export function redactText(text: string): string {
  if (!mayHoldSecret(text)) return text
  return text.replaceAll(secrets, redacted).replaceAll(privateKey, redacted)
}

/** A quick look, since nearly no text holds a secret. */
function mayHoldSecret(text: string): boolean {
  return /sk-|gh[pousr]_|github_pat_|xox|AKIA|AIza|npm_|eyJ|sw_|PRIVATE KEY/.test(text)
}

/** The input as it is kept beside the history. */
export function redactInput(input: unknown): string {
  return redactText(JSON.stringify(input) ?? 'null')
}

/**
 * Redacts an event before it is reduced, so that what is stored is what was decided on and replay
 * still fits. Only strings that look secret change.
 */
export function redactEvent<Event extends RunEvent>(event: Event): Event {
  const text = JSON.stringify(event)
  if (!mayHoldSecret(text)) return event
  return redactValue(event) as Event // The same shape: only strings were replaced.
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item)]))
}
