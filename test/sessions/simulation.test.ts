import type { AgentStateKind, HookConfig } from '@statewright/core/internal'
import { expect, test } from 'vitest'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import { AgentWorld } from './agent-world.ts'
import { chanceFrom } from './chance.ts'

const steps = lengthOf({ sample: 30_000, long: 2_000_000 })
const firstSeed = seedOf(20_260_121)
const longestSession = 400

const base = { command: ['true'], timeout_ms: 1000, tool_filter: { type: 'any_mutating' } } as const
const policies = [
  { type: 'fail_session' },
  { type: 'warn_continue' },
  { type: 'retry', max_attempts: 3, delay_ms: 200 },
] as const

function hooksBy(seed: number): HookConfig[] {
  const chance = chanceFrom(seed)
  return policies
    .filter(() => chance() < 0.5)
    .map((failure_policy, at) => ({
      ...base,
      name: `hook ${at}`,
      command: [...base.command],
      failure_policy,
    }))
}

test(
  'SE-8, SE-9, SE-20: in any story with any faults the invariants hold and each run ends once',
  () => {
    let taken = 0
    let sessions = 0
    const visited = new Map<AgentStateKind, number>()
    const compacted = new Map<string, number>()
    for (let seed = firstSeed; taken < steps; seed++) {
      const world = new AgentWorld(seed, hooksBy(seed))
      try {
        for (let turn = 0; turn < longestSession && !world.isOver; turn++) {
          world.turn()
          visited.set(world.state.kind, (visited.get(world.state.kind) ?? 0) + 1)
        }
        expect(world.finish()).toEqual([])
      } catch (fault) {
        throw new Error(
          `STATEWRIGHT_SEED=${seed}: ${fault instanceof Error ? fault.message : fault}`,
          {
            cause: fault,
          },
        )
      }
      for (const message of world.messages) {
        if (message.role !== 'compaction') continue
        compacted.set(message.how, (compacted.get(message.how) ?? 0) + 1)
      }
      taken += world.steps
      sessions += 1
    }
    expect(taken).toBeGreaterThanOrEqual(steps)
    expect(sessions).toBeGreaterThan(50)
    for (const how of ['shortened', 'summary', 'cut']) {
      expect(compacted.get(how) ?? 0, how).toBeGreaterThan(0)
    }
    // A simulation that never comes somewhere proves nothing of that place.
    for (const kind of [
      'ready',
      'calling_llm',
      'executing_tools',
      'post_tools_hook',
      'error',
      'stopping',
      'stopped',
    ] as const) {
      expect(visited.get(kind) ?? 0, kind).toBeGreaterThan(50)
    }
  },
  longestMs,
)
