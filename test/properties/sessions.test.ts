import type { RunSnapshot } from '@statewright/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestMs } from '../../packages/server/testing/length.ts'
import { always } from './settings.ts'
import { plan, take, tell } from './story.ts'
import { build, writtenWorld } from './world.ts'

const two = fc.record({
  written: writtenWorld,
  one: plan,
  other: plan,
  order: fc.array(fc.boolean(), { maxLength: 120, size: 'max' }),
})

describe('runs of one program', { timeout: longestMs }, () => {
  test('WF-4: two runs driven in any order give what each gives alone', () => {
    always(40, two, ({ written, one, other, order }) => {
      const world = build(written)
      const alone = [tell(world, one), tell(world, other)] as const
      const runs: [RunSnapshot, RunSnapshot] = [
        alone[0].started.step.run,
        alone[1].started.step.run,
      ]
      const next = [0, 0]
      const turns = [...order, ...one.intents.map(() => true), ...other.intents.map(() => false)]
      for (const isFirst of turns) {
        const side = isFirst ? 0 : 1
        const planned = alone[side].taken[next[side] ?? 0]
        if (planned === undefined) continue
        next[side] = (next[side] ?? 0) + 1
        const { step } = take(world, runs[side], planned.event)
        expect(JSON.stringify(step)).toBe(JSON.stringify(planned.step))
        runs[side] = step.run
      }
      expect(runs).toEqual([alone[0].last, alone[1].last])
    })
  })
})
