import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareBlind } from './blind-worlds.ts'
import type { Blindness } from './blindness.ts'
import type { Comparison } from './comparison.ts'

function comparedBlindly(kind: Blindness): Comparison {
  const script = join(import.meta.dirname, 'blind-search.ts')
  const options = { encoding: 'utf8', timeout: 90_000 } as const
  const { stdout, stderr } = spawnSync(process.execPath, [script, kind], options)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('brute force', () => {
  test.each([
    ['the freshness of evidence', 'evidence'],
    ['a pending approval', 'approval'],
    ['the use of a limit', 'limits'],
    ['what is known', 'facts'],
    ['what was done', 'marks'],
  ] as const)('PV-3: catches a search that drops %s from situations', (_, kind) => {
    expect(comparedBlindly(kind)).toMatchObject({
      verdict: 'proved',
      isWhole: true,
      dispute: expect.stringContaining('It does happen.'),
    })
    // With open eyes both say the same of it.
    expect(compareBlind(kind)).toMatchObject({
      verdict: 'refuted',
      isWhole: true,
      dispute: null,
    })
  })
})
