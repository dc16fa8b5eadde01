import { stableText } from '@statewright/core/internal'
import { changedFiles } from '../upstream/program-files.ts'
import type { QuestionKind } from '../upstream/questions.ts'
import type { UpstreamEntry } from './gateway-schema.ts'
import type { MailConfig, NotifyEntry } from './people-schema.ts'

/** What a change of `upstreams` starts or calls, in sentences; null where only servers go. */
export function serversText(from: unknown, to: unknown): string | null {
  const before = new Map(entriesOf(from))
  const texts = entriesOf(to).flatMap(([name, entry]) => {
    const known = before.get(name)
    const isSame = stableText(plain(known)) === stableText(plain(entry))
    const runs = isSame ? [] : [serverText(name, entry, known)]
    return [...runs, ...questionTexts(name, entry, known)]
  })
  return texts.length === 0 ? null : texts.join(' ')
}

/** An entry but for what it may ask, of which only more needs a person. */
function plain(entry: UpstreamEntry | undefined): unknown {
  if (entry === undefined) return null
  const { sampling: _sampling, elicitation: _elicitation, ...rest } = entry
  return rest
}

function questionTexts(
  name: string,
  entry: UpstreamEntry,
  before: UpstreamEntry | undefined,
): readonly string[] {
  const isNew = (kind: QuestionKind) => entry[kind] === 'allow' && before?.[kind] !== 'allow'
  return [
    ...(isNew('sampling') ? [`${name} may ask the model of the client (sampling).`] : []),
    ...(isNew('elicitation') ? [`${name} may ask the person at the client (elicitation).`] : []),
  ]
}

/** The same for `notify`, whose command is started for each approval. */
export function notifyText(from: unknown, to: unknown): string {
  const [before, after] = [notifyOf(from), notifyOf(to)]
  const reported = 'Other people or programs, or nobody, are notified of approvals.'
  const { webhook, command, files } = after
  const called = webhook === undefined ? '' : ` Each approval is sent to ${webhook.url}.`
  if (command === undefined) return reported + called
  const started = `${line(command)}${changes(before.files, files)}`
  return `${reported}${called} Started for each approval: ${started}.`
}

/** And for `mail`: anyone who names the address gets a key of the server. */
export function mailText(to: unknown): string {
  // As above.
  const resend = (to as MailConfig | null)?.resend
  if (resend === undefined) return 'Runs can no longer send mail.'
  const url = resend.url ?? 'the usual service'
  return `Runs send mail through ${url}, which gets the key in ${resend.key_env}.`
}

function entriesOf(value: unknown): [string, UpstreamEntry][] {
  // It has passed the schema of the configuration, now or when it was accepted.
  return Object.entries((value ?? {}) as Record<string, UpstreamEntry>)
}

function notifyOf(value: unknown): NotifyEntry {
  // As above.
  return (value ?? {}) as NotifyEntry
}

function serverText(name: string, entry: UpstreamEntry, before: UpstreamEntry | undefined): string {
  if (!('command' in entry)) return calledText(name, entry.url, entry.headers ?? {})
  const { command, args = [], env = {}, cwd, files } = entry
  const set = Object.entries(env).map(([key, value]) => `${key}=${shown(key, value)}`)
  const where = cwd === undefined ? '' : ` in ${cwd}`
  const known = before !== undefined && 'command' in before ? (before.files ?? []) : undefined
  const started = line([...set, command, ...args])
  return `The server starts ${name}: ${started}${where}${changes(known, files)}.`
}

function changes(
  before: NonNullable<NotifyEntry['files']> | undefined,
  after: NonNullable<NotifyEntry['files']> | undefined,
): string {
  if (before === undefined) return ''
  const changed = changedFiles(before, after ?? [])
  return changed.length === 0 ? '' : ` (changed: ${changed.join(', ')})`
}

function calledText(name: string, url: string, headers: Readonly<Record<string, string>>): string {
  const sent = Object.entries(headers).map(([key, value]) => `${key}: ${shown(key, value)}`)
  const more = sent.length === 0 ? '' : ` with ${sent.join(', ')}`
  return `The server calls ${url}${more} as ${name}.`
}

/** A secret is not told on, but which of the server's variables are handed out is. */
function shown(name: string, value: string): string {
  const isSecret = /key|token|secret|pass|auth|credential|cookie/i.test(name)
  return isSecret && !value.includes('${') ? '…' : value
}

/** Words that a person can tell apart, not a line for a shell: no shell reads it. */
function line(words: readonly string[]): string {
  const text = words
    .map((word) => (/^[\w@%+=:,./${}…-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ')
  return `\`${text}\``
}
