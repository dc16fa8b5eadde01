import type { ConfigChange } from '@statewright/core/wire'

type WaitingSetting = Pick<ConfigChange, 'key' | 'loosens'>

/** Keys by which a server starts programs or calls services. */
const outward: readonly string[] = ['upstreams', 'notify', 'mail', 'oidc']

/** What kind of change waits: programs that nobody has accepted, weaker rules, or neither. */
export function waitingKind(changes: readonly WaitingSetting[]): 'programs' | 'looser' | 'other' {
  const looser = changes.filter(({ loosens }) => loosens !== null)
  if (looser.length === 0) return 'other'
  return looser.every(({ key }) => outward.includes(key.split('.', 1)[0] ?? ''))
    ? 'programs'
    : 'looser'
}
