import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { campaign, Pool } from './campaign.ts'
import { checkOutcome } from './check.ts'
import { locate } from './fuzz-folder.ts'
import { canCage } from './runner.ts'
import { mayRunUncaged } from './screen.ts'

const seed = seedOf(20_260_101)
const count = lengthOf({ sample: 1000, long: 50_000 })
const isRoot = process.getuid?.() === 0
const isCaged = locate('bash') !== undefined && (await canCage())
// Root may run lines in a cage only: nothing else would hold them.
const canRun = locate('bash') !== undefined && (isCaged || !isRoot)
if (!canRun) console.log('shell-fuzz: skipped, there is no bash, or no cage for root')

describe.skipIf(!canRun)('the analysis against the bash of this machine', () => {
  let pool: Pool
  beforeAll(() => {
    pool = new Pool(isCaged)
  })
  afterAll(() => pool.close())

  test(
    'SH-1, SH-2, SH-3, SH-4: bash runs no program that is neither told nor denied',
    async () => {
      const { failures, ...figures } = await campaign(pool, seed, count)
      console.log(`shell-fuzz: seed ${seed}, ${isCaged ? 'caged' : 'no cage'}`, figures)
      expect(failures).toEqual([])
      expect(figures.lines).toBeGreaterThan(count * 0.98)
      // Denying everything would pass as well, and prove nothing.
      expect(figures.reported).toBeGreaterThan(count * 0.4)
      expect(figures.readOnly).toBeGreaterThan(count * 0.2)
    },
    longestMs,
  )

  test('SH-2: the recorders see what runs and what is written', async () => {
    const seen: unknown[] = []
    const lines = ['q1 $(q2 | q3)', "bash -c 'q4; :>out'", 'exec r1', '[[ a > b ]] && : >>b']
    await pool.run(lines.values(), ({ programs, files }) => {
      seen.push([[...programs].sort(), files])
    })
    expect(seen).toEqual([
      [['q1', 'q2', 'q3'], []],
      [['bash', 'q4'], ['out']],
      [['r1'], []],
      [[], []],
    ])
  }, 30_000)
})

describe('the harness', () => {
  test('SH-2: a program that is not told is a failure', () => {
    const outcome = { line: 'ls', programs: ['ls', 'rm'], files: [], stderr: '', isLost: false }
    const failure = { line: 'ls', kind: 'program_missed', details: ['rm'] }
    expect(checkOutcome(outcome).failure).toEqual(failure)
  })

  test('SH-6: a file that appears although reading was all that is allowed is a failure', () => {
    const outcome = { line: 'ls', programs: ['ls'], files: ['out'], stderr: '', isLost: false }
    const failure = { line: 'ls', kind: 'file_written', details: ['out'] }
    expect(checkOutcome(outcome).failure).toEqual(failure)
  })

  test.each([
    'kill -9 -1',
    'q1 > /etc/x',
    'cd ..',
    'PATH=x q1',
    "$'\\x2f'q1",
    'killall q1',
    'q1 ~',
  ])('SH-2: %j never runs outside a cage', (line) => {
    expect(mayRunUncaged(line)).toBe(false)
  })
})
