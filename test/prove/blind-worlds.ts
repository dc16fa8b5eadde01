import type { Claim, JsonObject } from '@statewright/core/internal'
import type { Blindness } from './blindness.ts'
import { type Comparison, compareIn, worldOf } from './comparison.ts'

/** For each blindness a world that cannot be told right without seeing it. */
const worlds: Readonly<
  Record<
    Blindness,
    { readonly states: JsonObject; readonly claim: Claim; readonly more?: JsonObject }
  >
> = {
  // The tests ran, or they did not: only the one leads to the end.
  evidence: {
    states: { s0: { allowed_tools: ['Bash'], on: { A: { target: 'end', guard: 'tested' } } } },
    claim: { never: { enter: 'end' } },
    more: {
      guards: { tested: { evidence: 't' } },
      evidence: { t: { tool: 'Bash', command: 'npm test', runner_files: false } },
    },
  },
  // Two moves wait for a person; which of them it is decides where the run goes.
  approval: {
    states: {
      s0: {
        on: {
          A: { target: 'end', requires_approval: true },
          B: { target: 'lost', requires_approval: true },
        },
      },
    },
    claim: { never: { enter: 'lost' } },
  },
  // Tests that fail twice use all calls up, and nothing leads on.
  limits: {
    states: {
      s0: {
        allowed_tools: ['Bash'],
        max_iterations: 2,
        on: { A: { target: 'end', guard: 'tested' } },
      },
    },
    claim: { can_always_reach: [] },
    more: {
      guards: { tested: { evidence: 't' } },
      evidence: { t: { tool: 'Bash', command: 'npm test', runner_files: false } },
    },
  },
  // Something was read, or it was not.
  facts: {
    states: { s0: { allowed_tools: ['Read'], on: { A: { target: 'end', guard: 'read' } } } },
    claim: { never: { enter: 'end' } },
    more: {
      guards: { read: { when: 'facts.r == 1' } },
      facts: { r: { from: 'Read', value: 'result.n' } },
    },
  },
  // Something was edited, or it was not.
  marks: {
    states: { s0: { allowed_tools: ['Edit'], on: { A: { target: 'end', guard: 'edited' } } } },
    claim: { never: { enter: 'end' } },
    more: {
      guards: { edited: { when: 'marks.m' } },
      marks: { m: { on: 'Edit' } },
      facts: { r: { from: 'Read' } },
    },
  },
}

export function compareBlind(kind: Blindness): Comparison {
  const { states, claim, more = {} } = worlds[kind]
  const ends = { end: { type: 'final' }, lost: { type: 'final', outcome: 'failure' } }
  const definition: JsonObject = {
    ...{ id: 'small', initial: 's0', meta: { approval_mode: 'ui' } },
    states: { ...states, ...ends },
    ...more,
  }
  const child: JsonObject = { id: 'child', initial: 'c0', states: { c0: { type: 'final' } } }
  const world = worldOf({ definition, child, claim })
  if (world === null) throw new Error(`${kind}: no definition`)
  return compareIn(world, kind)
}
