import { expect, test } from 'vitest'
import { waitingKind } from './waiting-change.ts'

test.each([
  [
    'programs',
    [
      { key: 'upstreams', loosens: 'x' },
      { key: 'strict', loosens: null },
    ],
  ],
  ['programs', [{ key: 'upstreams.files.read_file', loosens: 'x' }]],
  [
    'looser',
    [
      { key: 'upstreams', loosens: 'x' },
      { key: 'mode', loosens: 'x' },
    ],
  ],
  [
    'other',
    [
      { key: 'upstreams', loosens: null },
      { key: 'strict', loosens: null },
    ],
  ],
])('SH-18b: a change is told as one of %s', (kind, changes) => {
  expect(waitingKind(changes)).toBe(kind)
})
