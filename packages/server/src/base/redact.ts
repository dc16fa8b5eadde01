import { type RunEvent, redacted, type ShellFindings } from '@statewright/core/internal'
import { hidesSecrets, secretName } from './secret-shapes.ts'

export { redacted }

/**
 * History is kept for long and shown to many, so that a key which an agent pasted into a command
 * must not live on in it.
 */
export function redactText(text: string): string {
  return coverSecrets(text, () => redacted)
}

/** The text with each secret in it replaced by whatever stands for it. */
function coverSecrets(text: string, cover: (secret: string) => string): string {
  return mayHoldSecret(text) ? leaveOut(text, cover) : text
}

/** The same for a field, which may say by its name what it holds. */
export function coverField(text: string, name: string, cover: (secret: string) => string): string {
  return text !== '' && secretName.test(name) ? cover(text) : coverSecrets(text, cover)
}

/** How a keyed hash stands for a secret. One that was covered so is not covered again (FC-7). */
export const sealedMark = /sealed:[0-9a-f]{32}/g
const isSealed = new RegExp(`^${sealedMark.source}$`)

function leaveOut(text: string, coverPlain: (secret: string) => string): string {
  const cover = (secret: string) => (isSealed.test(secret) ? secret : coverPlain(secret))
  let kept = text
  for (const shape of hidesSecrets.whole) {
    kept = kept.replaceAll(shape, (whole: string) => cover(whole))
  }
  // What leads to the value stays: it says what was left out.
  for (const shape of hidesSecrets.led) {
    kept = kept.replaceAll(
      shape,
      (whole: string, lead: string) => lead + cover(whole.slice(lead.length)),
    )
  }
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
  return coverField(text, name, () => redacted)
}

/**
 * Redacts an event before it is reduced, so that what is stored is what was decided on and replay
 * still fits. Only strings that look secret change: guards read fields, whatever their name.
 */
export function redactEvent<Event extends RunEvent>(event: Event): Event {
  if (!mayHoldSecret(JSON.stringify(event))) return event
  // The same shape: only strings were replaced.
  return redactWords(redactValue(event, redactText) as Event, event)
}

/**
 * A word of a command does not tell that it is a password: `-p` and what follows it do. So what was
 * found in the text is left out of its words as well. Never of paths: by those files are known.
 */
function redactWords<Event extends RunEvent>(kept: Event, event: RunEvent): Event {
  if (kept.type !== 'tool_requested' || kept.call.shell === undefined) return kept
  const text = event.type === 'tool_requested' ? (event.call.shell?.command ?? '') : ''
  const secrets = secretsIn(text)
  if (secrets.length === 0) return kept
  const { shell } = kept.call
  const hide = (word: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, redacted), word)
  const { whole, commands, unproven } = shell
  const words = {
    whole: whole?.map(hide) ?? null,
    commands: commands.map((one) => ({
      ...one,
      words: one.words.map((word) => (word === null ? null : hide(word))),
    })),
    // Only what is shown of it: what kind of doubt it is decides.
    ...(unproven === undefined ? {} : { unproven: unproven.map((one) => shown(one, hide)) }),
  }
  return { ...kept, call: { ...kept.call, shell: { ...shell, ...words } } }
}

type Unproven = NonNullable<ShellFindings['unproven']>[number]
type Values = NonNullable<Unproven['message']['values']>

function shown({ word, message, ...rest }: Unproven, hide: (text: string) => string): Unproven {
  const { values, ...name } = message
  return {
    ...rest,
    ...(word === undefined ? {} : { word: hide(word) }),
    // The same shape: only strings were replaced.
    message: values === undefined ? name : { ...name, values: redactValue(values, hide) as Values },
  }
}

const shortest = 4

/** The values, and their parts as a shell would take them. */
function secretsIn(text: string): string[] {
  const found: string[] = []
  leaveOut(text, (secret) => {
    found.push(secret)
    return redacted
  })
  const pieces = found.flatMap((secret) => [secret, ...secret.split(/[\s;,&"'\\]+/)])
  return [...new Set(pieces)].filter((part) => part.length >= shortest && part !== redacted)
}

function redactValue(value: unknown, redact: Redact, name = ''): unknown {
  if (typeof value === 'string') return redact(value, name)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, name))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([key, item]) => [key, redactValue(item, redact, key)]))
}

type Redact = (text: string, name: string) => string
