import type { AgentStateKind } from '@statewright/core/internal'

/** What the list of sessions is narrowed to. It stands in the address of the page. */
export interface SessionFilters {
  readonly show: 'all' | SessionGroup
  readonly harness: string
}

export type SessionGroup = 'working' | 'ready' | 'broken' | 'stopped'
export const sessionGroups = ['working', 'ready', 'broken', 'stopped'] as const

export const harnesses = ['claude-code', 'acp', 'model', 'scripted'] as const

export function readSessionFilters(search: Readonly<Record<string, unknown>>): SessionFilters {
  return {
    show: sessionGroups.find((group) => group === search.show) ?? 'all',
    harness: harnesses.find((harness) => harness === search.harness) ?? '',
  }
}

export function writeSessionFilters({ show, harness }: SessionFilters): Record<string, string> {
  return { ...(show === 'all' ? {} : { show }), ...(harness === '' ? {} : { harness }) }
}

/** The word under which people look for a session. */
function groupOf(kind: AgentStateKind): SessionGroup {
  if (kind === 'ready') return 'ready'
  if (kind === 'error') return 'broken'
  return kind === 'stopped' ? 'stopped' : 'working'
}

export function passesSessionFilters(
  session: { readonly kind: AgentStateKind; readonly harness: string },
  { show, harness }: SessionFilters,
): boolean {
  if (show !== 'all' && groupOf(session.kind) !== show) return false
  return harness === '' || session.harness === harness
}
