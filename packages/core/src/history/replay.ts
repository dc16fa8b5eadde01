import { jsonEqual } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { startRun } from '../reduce/start.ts'
import type { Entry } from '../run/entries.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'

export type Replayed =
  | { readonly ok: true; readonly run: RunSnapshot }
  | { readonly ok: false; readonly index: number; readonly problem: string }

/**
 * Runs a history through the reducer again. It must give the same entries, one by one: a history
 * that was edited so that only the end fits is found all the same (invariant 3).
 */
export function replay(program: Program, entries: readonly Entry[]): Replayed {
  const first = entries[0]?.cause
  if (first === undefined || first.type !== 'started') {
    return { ok: false, index: 0, problem: 'the history does not begin with a start' }
  }
  if (first.hash !== program.hash) {
    return { ok: false, index: 0, problem: 'the history belongs to another definition' }
  }
  let index = 0
  let step = again(() => startRun(program, first))
  for (;;) {
    if (step === null) return { ok: false, index, problem: 'the event cannot be read' }
    for (const entry of step.entries) {
      if (!jsonEqual(entry, entries[index])) {
        return { ok: false, index, problem: 'the entry differs from what its event gives' }
      }
      index++
    }
    if (index >= entries.length) return { ok: true, run: step.run }
    const cause = entries[index]?.cause
    if (cause === undefined) {
      return { ok: false, index, problem: 'no event caused the entry' }
    }
    const { run } = step
    step = again(() => reduceRun(program, run, cause))
    if (step?.entries.length === 0) return { ok: false, index, problem: 'the event gives no entry' }
  }
}

/** A stored history comes from outside: one that was forged may hold anything at all. */
function again(reduce: () => Step): Step | null {
  try {
    return reduce()
  } catch {
    return null
  }
}
