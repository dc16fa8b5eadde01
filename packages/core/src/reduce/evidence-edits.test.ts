import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import type { DigestFacts } from '../run/events.ts'
import { play, worker } from './play.test-kit.ts'

const workflow = () => `
id: w
initial: work
evidence: {tests: {tool: Bash, command: npm test, stale_after: ["src/**"]}}
guards: {tested: {evidence: tests}}
states: {work: {on: {SHIP: {target: done, guard: tested}}}, done: {type: final}}
`
const files = (stale: string): DigestFacts => ({ tests: { stale, definedBy: null } })
const same = files('d1')

type Run = ReturnType<typeof play>

function tested(run: Run): void {
  run.bash('npm test', { more: { digests: same } })
  run.result(run.call, { digests: same })
}

describe('an edit of a file that evidence depends on', () => {
  const edited = (run: Run) => {
    tested(run)
    expect(run.edit('src/a.ts', { more: { digests: same } })).toBe('allow')
    return run.call
  }
  const ship = (run: Run) => run.send('SHIP', undefined, { digests: same, by: worker('other') })

  test('WF-31: one that is under way voids it, and one that failed does not', () => {
    const run = play(workflow())
    const call = edited(run)
    expect(ship(run)).toBe('evidence_missing')
    run.result(call, { exit: 'failure', digests: same })
    expect(ship(run)).toBe('ok')
  })

  test('WF-31: also when its failure is told after the next call', () => {
    const run = play(workflow())
    const call = edited(run)
    run.tool('Read', { more: { digests: same } })
    run.result(call, { exit: 'failure', digests: same })
    expect(ship(run)).toBe('ok')
  })

  test('WF-31: one that worked, or of which nobody says how it ended, voids it', () => {
    for (const exit of ['success', null] as const) {
      const run = play(workflow())
      run.result(edited(run), { exit, digests: same })
      expect(ship(run)).toBe('evidence_missing')
    }
  })

  test('WF-31: of two edits the one that failed does not make up for the other', () => {
    const run = play(workflow())
    const first = edited(run)
    run.edit('src/b.ts', { more: { digests: same } })
    run.result(run.call, { exit: 'failure', digests: same })
    expect(ship(run)).toBe('evidence_missing')
    run.result(first, { exit: 'failure', digests: same })
    expect(ship(run)).toBe('ok')
  })

  test('WF-31: more edits under way than are kept track of void it for good', () => {
    const run = play(workflow())
    tested(run)
    const edits = Array.from({ length: limits.editsUnderWay + 1 }, () => {
      run.edit('src/a.ts')
      return run.call
    })
    for (const call of edits) run.result(call, { exit: 'failure', digests: same })
    expect(ship(run)).toBe('evidence_missing')
  })

  test('WF-31: that it failed is not believed of an agent that only says so', () => {
    const run = play(workflow())
    run.result(edited(run), { exit: 'failure', digests: same, source: 'reported' })
    expect(ship(run)).toBe('evidence_missing')
  })

  test('WF-31: a failed edit that changed the file all the same is seen by the digests', () => {
    const run = play(workflow())
    run.result(edited(run), { exit: 'failure', digests: files('d2') })
    expect(run.send('SHIP', undefined, { digests: files('d2') })).toBe('evidence_missing')
  })
})
