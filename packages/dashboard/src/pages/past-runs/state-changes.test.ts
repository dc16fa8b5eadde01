import type { ReplayReport } from '@statewright/core/wire'
import { expect, test } from 'vitest'
import { stateChanges } from './state-changes.ts'

test('RP-3: what would change is counted in its state, stricter and looser apart', () => {
  const rules = [
    { name: 'states.planning.allowed_tools', kind: 'newly_denied', count: 3, samples: [] },
    { name: 'states.planning.allowed_commands', kind: 'newly_allowed', count: 1, samples: [] },
    { name: 'states.fixing.max_edit_lines', kind: 'no_longer_asked', count: 2, samples: [] },
    { name: 'policies.shop.ask.0', kind: 'newly_asked', count: 4, samples: [{ state: 'fixing' }] },
    { name: null, kind: 'newly_denied', count: 9, samples: [] },
  ]
  // Only the groups are read here.
  const report = { rules } as unknown as ReplayReport
  expect([...stateChanges(report)]).toEqual([
    ['planning', { stricter: 3, looser: 1 }],
    ['fixing', { stricter: 4, looser: 2 }],
  ])
})
