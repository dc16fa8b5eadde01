import type { ClientFinding, ExaminedClient, SeenClient } from '@statewright/core/wire'

/** A coding client as far as anybody has looked: its settings, and the hooks that it sent. */
export interface ClientLine {
  readonly client: string
  /** Where it is installed; null for one that only its hooks have shown. */
  readonly location: string | null
  readonly health: 'sound' | 'warning' | 'broken' | 'unknown'
  readonly findings: readonly ClientFinding[]
  readonly examinedAt: number | null
  readonly lastSeenAt: number | null
  readonly hooks: number
  /** What to type to fix it, or to have it looked at; null when nothing is wrong. */
  readonly command: string | null
}

/** What is wrong comes first. */
export function clientLines(
  seen: readonly SeenClient[],
  examined: readonly ExaminedClient[],
): ClientLine[] {
  const hooksOf = new Map(seen.map((one) => [one.client, one]))
  const known = new Set(examined.map(({ client }) => client))
  const lines = [
    ...examined.map((one) => examinedLine(one, hooksOf.get(one.client))),
    ...seen.filter(({ client }) => !known.has(client)).map(seenLine),
  ]
  return lines.sort((one, other) => rank[one.health] - rank[other.health])
}

const rank = { broken: 0, warning: 1, unknown: 2, sound: 3 } as const

function examinedLine(one: ExaminedClient, seen: SeenClient | undefined): ClientLine {
  const health = healthOf(one.findings)
  const bad = one.findings.find(
    ({ status }) => status === (health === 'broken' ? health : 'warning'),
  )
  return {
    client: one.client,
    location: one.project ?? `${one.scope}'s settings`,
    health,
    findings: one.findings,
    examinedAt: one.examined_at,
    ...hooksFacts(seen),
    command: bad === undefined ? null : (commandIn(bad.next) ?? `statewright doctor ${one.client}`),
  }
}

function seenLine(seen: SeenClient): ClientLine {
  return {
    client: seen.client,
    location: null,
    health: 'unknown',
    findings: [],
    examinedAt: null,
    ...hooksFacts(seen),
    command: 'statewright doctor',
  }
}

function hooksFacts(seen: SeenClient | undefined): Pick<ClientLine, 'lastSeenAt' | 'hooks'> {
  if (seen === undefined) return { lastSeenAt: null, hooks: 0 }
  return { lastSeenAt: seen.last_seen_at, hooks: seen.hooks }
}

function healthOf(findings: readonly ClientFinding[]): ClientLine['health'] {
  if (findings.some(({ status }) => status === 'broken')) return 'broken'
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'sound'
}

/** The command in a sentence such as `run "statewright install gemini --user" again.` */
function commandIn(next: string | undefined): string | null {
  return /"(statewright [^"]{1,200})"/.exec(next ?? '')?.[1] ?? null
}
