import { stableText } from '@statewright/core'
import { changedFiles } from '../upstream/program-files.ts'
import type { UpstreamEntry } from './gateway-schema.ts'
import type { NotifyEntry } from './people-schema.ts'

/** What a change of `upstreams` starts or calls, in sentences; null where only servers go. */
export function serversText(from: unknown, to: unknown): string | null {
  const before = new Map(entriesOf(from))
  const changed = entriesOf(to).filter(
    ([name, entry]) => stableText(before.get(name) ?? null) !== stableText(entry),
  )
  if (changed.length === 0) return null
  return changed.map(([name, entry]) => serverText(name, entry, before.get(name))).join(' ')
}

/** The same for `notify`, whose command is started for each approval. */
export function notifyText(from: unknown, to: unknown): string {
  const [before, after] = [notifyOf(from), notifyOf(to)]
  const told = 'Other people or programs are told of what waits, or nobody is.'
  const { command, files } = after
  if (command === undefined) return told
  return `${told} Started for each approval: ${line(command)}${changes(before.files, files)}.`
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
  if (!('command' in entry)) return `The server calls ${entry.url} as ${name}.`
  const { command, args = [], env = {}, cwd, files } = entry
  const set = Object.entries(env).map(([key, value]) => `${key}=${isSecret(key) ? '…' : value}`)
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

function isSecret(name: string): boolean {
  return /key|token|secret|pass|auth|credential/i.test(name)
}

/** Words that a person can tell apart, not a line for a shell: no shell reads it. */
function line(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./${}…-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ')
}
