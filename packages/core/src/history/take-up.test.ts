import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { play } from '../reduce/play.test-kit.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { engine } from '../run/engine.ts'
import type { Entry } from '../run/entries.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { chainEntries, chainStart } from './chain.ts'
import { replay } from './replay.ts'
import { takeUp } from './take-up.ts'
import { verify } from './verify.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const system = { kind: 'system', id: 'statewright' } as const

const workflow = `
id: w
initial: a
states:
  a: {allowed_tools: [Read, Edit], max_iterations: 9, on: {GO: b}}
  b: {allowed_tools: [Read], on: {GO: z}}
  z: {type: final}
`

/** A run as the first engine would have left it, with its snapshot after the first step. */
function older() {
  const run = play(workflow)
  const [first] = run.entries
  const snapshot = withoutEngine(run.run)
  run.tool('Read')
  run.tool('Glob')
  run.edit('a.ts')
  const [started, ...tail] = run.entries
  if (first === undefined || started?.type !== 'run_started') throw new Error('no start')
  const { engine: _, ...bare } = started
  const entries: Entry[] = [bare, ...tail]
  return { run, snapshot, tail, entries, last: withoutEngine(run.run) }
}

function withoutEngine(run: RunSnapshot): RunSnapshot {
  const { engine: _, ...rest } = run
  return rest
}

/** The same history, in which the older engine had decided a call in another way. */
function decidedOtherwise(entries: readonly Entry[], tool: string, decision: 'allow' | 'deny') {
  return entries.map((entry): Entry => {
    if (entry.type !== 'call_decided' || entry.tool !== tool) return entry
    const { code: _, ...rest } = entry
    return { ...rest, decision, reasons: [] }
  })
}

function iterations(run: RunSnapshot | undefined): number | undefined {
  return run?.main.frames[0]?.counters.iterations
}

describe('a run that an older engine left', () => {
  test('WF-36a: entries after its stored snapshot are played', () => {
    const { run, snapshot, tail, last } = older()
    expect(takeUp(run.program, snapshot, tail)).toEqual({ run: last, differs: [] })
  })

  test('WF-36a: a call that it let through counts, though it would be denied now', () => {
    const { run, snapshot, tail } = older()
    const taken = takeUp(run.program, snapshot, decidedOtherwise(tail, 'Glob', 'allow'))
    expect(taken?.differs).toEqual([1])
    expect(iterations(taken?.run)).toBe(3)
    expect(taken?.run.calls.map((call) => call.tool)).toEqual(['Read', 'Glob', 'Edit'])
  })

  test('WF-36a: a call that it denied does not count, though it would be allowed now', () => {
    const { run, snapshot, tail } = older()
    const taken = takeUp(run.program, snapshot, decidedOtherwise(tail, 'Edit', 'deny'))
    expect(taken?.differs).toEqual([2])
    expect(iterations(taken?.run)).toBe(1)
  })

  test('WF-36: it is taken over with its snapshot, and goes on from there', () => {
    const { run, entries, last } = older()
    const changed = reduceRun(run.program, last, {
      type: 'engine_changed',
      at: 9,
      by: system,
      run: last,
    })
    expect(changed.run).toEqual({ ...last, engine })
    expect(changed.entries).toMatchObject([{ type: 'engine_changed', from: 1, to: engine }])
    const go = reduceRun(run.program, changed.run, {
      type: 'transition_requested',
      at: 10,
      by: system,
      event: 'GO',
      approvalId: 'p',
    })
    const history = [...entries, ...changed.entries, ...go.entries]
    expect(replay(run.program, history)).toEqual({
      ok: true,
      run: go.run,
      older: { engine: 1, entries: 4, differs: [] },
    })
  })

  test('WF-36: a run that is on this engine is not taken over', () => {
    const { run } = play(workflow)
    const program = play(workflow).program
    const event = { type: 'engine_changed', at: 9, by: system, run } as const
    expect(reduceRun(program, run, event).refusal?.code).toBe('run_not_active')
  })
})

describe('verifying what two engines wrote', () => {
  function taken(forge: (run: RunSnapshot) => RunSnapshot = (run) => run) {
    const { run, entries, last } = older()
    const event = { type: 'engine_changed', at: 9, by: system, run: forge(last) } as const
    const changed = reduceRun(run.program, last, event)
    const read = { id: 'c9', tool: 'Read', argsHash: 'x' }
    const more = reduceRun(run.program, changed.run, {
      type: 'tool_requested',
      at: 10,
      by: { kind: 'agent', id: 'main' },
      call: read,
      approvalId: 'p',
      approvalExpiresAt: 99,
    })
    const plain = [...entries, ...changed.entries, ...more.entries]
    return { program: run.program, plain, snapshot: more.run }
  }

  function check(
    program: ReturnType<typeof taken>['program'],
    plain: Entry[],
    snapshot: RunSnapshot,
  ) {
    const entries = chainEntries({ seq: 0, hash: chainStart('r1') }, plain, hash)
    return verify({ runId: 'r1', program, entries, snapshot }, hash)
  }

  test('WF-36: the older part is checked by its chain, and that is said', () => {
    const { program, plain, snapshot } = taken()
    expect(check(program, plain, snapshot)).toEqual({
      ok: true,
      entries: 6,
      older: { engine: 1, entries: 4, differs: [] },
    })
  })

  test('WF-36: a forger who chains anew is found in what this engine wrote', () => {
    const { program, plain, snapshot } = taken()
    const forged = plain.with(5, { ...plain[5], tool: 'Glob' } as Entry)
    expect(check(program, forged, snapshot)).toMatchObject({ ok: false, seq: 6 })
  })

  test('WF-36: a snapshot that the older part does not give cannot be taken over', () => {
    const forge = (run: RunSnapshot) => ({ ...run, costMicros: 5 })
    const { program, plain, snapshot } = taken(forge)
    expect(check(program, plain, snapshot)).toMatchObject({ ok: false, seq: 5 })
  })

  test('WF-36: of a run that nobody took up yet the stored snapshot is still compared', () => {
    const { run, entries, last } = older()
    expect(check(run.program, entries, last)).toMatchObject({ ok: true, older: { entries: 4 } })
    const spoiled = { ...last, mailsSent: 1 }
    expect(check(run.program, entries, spoiled)).toMatchObject({ ok: false })
  })

  test('WF-36b: what a newer engine wrote is not called whole', () => {
    const { run } = older()
    const [started, ...rest] = run.entries
    if (started?.type !== 'run_started') throw new Error('no start')
    const newer = [{ ...started, engine: engine + 1 }, ...rest]
    expect(check(run.program, newer, run.run)).toMatchObject({
      ok: false,
      problem: `it was written by a newer engine (${engine + 1})`,
    })
  })
})
