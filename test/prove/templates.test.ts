import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proveClaims, proverFor } from '../../packages/server/src/cli/workflow/scenario/claims.ts'
import { readScenarios } from '../../packages/server/src/cli/workflow/scenario/read.ts'

const folder = join(import.meta.dirname, '../../packages/server/templates')
const files = readdirSync(folder).filter((name) => name.endsWith('.scenarios.yaml'))

describe('every template', () => {
  test.each(files)(
    'PV-9, PV-10: proves its own claims, and those that nobody writes: %s',
    (name) => {
      const read = readScenarios(join(folder, name))
      if (!read.ok) throw new Error(read.error.message)
      const prover = proverFor(read.value, { root: folder, programs: new Map() })
      const proved = proveClaims(read.value, prover)
      if (!proved.ok) throw new Error(proved.error.message)
      const claims = proved.value.map(({ name: claim, answer }) => ({ claim, answer }))
      const standing = prover.standing().map(({ text, answer }) => ({ claim: text, answer }))
      const open = [...claims, ...standing].filter(({ answer }) => answer.verdict !== 'proved')
      expect(open).toEqual([])
      expect(claims.length).toBeGreaterThan(0)
      // What takes time is the number of situations; a template stays far from what is felt.
      expect(
        Math.max(...[...claims, ...standing].map(({ answer }) => answer.situations)),
      ).toBeLessThan(5000)
    },
  )
})
