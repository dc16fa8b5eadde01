import {
  type Entry,
  type JsonObject,
  type Program,
  Recount,
  RulesOfRuns,
  type RunEvent,
  RunPlayer,
  type RunSnapshot,
  reduceRun,
  startRun,
} from '@statewright/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DecisionKind } from '../../packages/core/src/base/problem.ts'
import { stepsOf } from '../../packages/core/src/history/steps.ts'
import { takeAsHappened } from '../../packages/core/src/reduce/tool-requested.ts'
import { isSameMoves } from '../../packages/core/src/replay/moves.ts'
import { longestMs } from '../../packages/server/testing/length.ts'
import { changeOf } from './changes.ts'
import { choice } from './pick.ts'
import { always } from './settings.ts'
import { type Scenario, scenario, storyOf } from './story.ts'
import { build } from './world.ts'

const run = { id: 'r1', role: 'worker', session: 'r1', workspace: '/srv/work' }

/** What the player tells of each step. */
function played(own: Program, changed: Program, entries: readonly Entry[]) {
  const rules = new RulesOfRuns(own, { program: changed, policy: null })
  const player = new RunPlayer(rules, run, new Recount())
  return stepsOf(entries).map((step) => player.play(step))
}

type Kind = DecisionKind | 'undecided'

/** The same by the reducer alone: index of each call that is judged otherwise, and of the move. */
function expected(changed: Program, entries: readonly Entry[]) {
  const calls: [number, Kind][] = []
  let now: RunSnapshot | undefined
  for (const [index, step] of stepsOf(entries).entries()) {
    const cause = step[0].cause as RunEvent // every step has one
    if (now === undefined && cause.type === 'started') {
      const begun = startRun(changed, { ...cause, hash: changed.hash })
      if (!isSameMoves(begun.entries, step)) return { calls, moved: index }
      now = begun.run
      continue
    }
    if (now === undefined) throw new Error('a run begins with a start')
    if (cause.type === 'approval_resolved' && isWithoutRequest(now, cause.approvalId, step))
      continue
    const fresh = reduceRun(changed, now, cause)
    if (!isSameMoves(fresh.entries, step)) return { calls, moved: index }
    const kind = fresh.answer.type === 'decided' ? fresh.answer.decision.kind : undefined
    const decided = step.find((entry) => entry.type === 'call_decided')
    if (decided !== undefined && cause.type === 'tool_requested' && kind !== decided.decision) {
      calls.push([index, kind ?? 'undecided'])
      now = takeAsHappened(changed, now, cause, decided.decision === 'allow')
      continue
    }
    now = fresh.run
  }
  return { calls, moved: undefined }
}

/** The recorded verdict was on a call about which the changed rules put no question. */
function isWithoutRequest(now: RunSnapshot, approvalId: string, step: readonly Entry[]): boolean {
  const lanes = [now.main, ...(now.fork?.branches ?? []).map(({ lane }) => lane)]
  const waiting = [...now.asks, ...lanes.flatMap(({ approval }) => approval ?? [])]
  return isSameMoves([], step) && waiting.every(({ id }) => id !== approvalId)
}

const changed = fc.record({ chosen: scenario, change: fc.array(choice, { minLength: 4 }) })

function changedStory({ chosen, change }: { chosen: Scenario; change: readonly number[] }) {
  const story = storyOf(chosen)
  const written = changeOf(chosen.written, change)
  return { ...story, changed: build(written).program, isChanged: written !== chosen.written }
}

describe('every recorded run', { timeout: longestMs }, () => {
  test('RP-2: under its own rules, each call and each move comes out as it did', () => {
    let calls = 0
    always(200, scenario, (chosen) => {
      const { world, entries } = storyOf(chosen)
      for (const step of played(world.program, world.program, entries)) {
        if (step.kind === 'same') continue
        if (step.kind !== 'call') throw new Error(JSON.stringify(step))
        expect([step.after, step.missing]).toEqual([step.before, []])
        calls++
      }
    })
    expect(calls).toBeGreaterThan(500)
  })

  test('RP-3: under others, exactly those calls and that move differ that are decided anew', () => {
    let [differing, moves] = [0, 0]
    always(200, changed, (one) => {
      const { world, entries, changed: rules } = changedStory(one)
      const steps = played(world.program, rules, entries)
      const calls = steps.flatMap((step, index): [number, Kind][] =>
        step.kind === 'call' && step.after !== step.before ? [[index, step.after]] : [],
      )
      const moved = steps.findIndex(({ kind }) => kind === 'diverged')
      expect({ calls, moved: moved < 0 ? undefined : moved }).toEqual(expected(rules, entries))
      differing += calls.length
      if (moved >= 0) moves++
    })
    expect(differing).toBeGreaterThan(20)
    expect(moves).toBeGreaterThan(10)
  })

  test('RP-4: what was never recorded leaves a call undecided, unless it does not matter', () => {
    let undecided = 0
    always(100, scenario, (chosen) => {
      const { world, entries } = storyOf(chosen)
      const when = (require: string) => withCalls(chosen.written, require)
      const asked = build(when('args.never == 1')).program
      const [yes, no] = [build(when('tool != "no"')).program, build(when('tool == "no"')).program]
      const isYes = new Map(expected(yes, entries).calls)
      const isNo = new Map(expected(no, entries).calls)
      const steps = played(world.program, asked, entries)
      for (const [index, step] of steps.entries()) {
        if (step.kind !== 'call') continue
        const [held, failed] = [isYes.get(index) ?? step.before, isNo.get(index) ?? step.before]
        expect(step.after).toBe(held === failed ? held : 'undecided')
        if (step.after !== 'undecided') continue
        expect(step.missing).toEqual(['args.never'])
        undecided++
      }
    })
    expect(undecided).toBeGreaterThan(50)
  })
})

/** Every call needs it, in every definition. */
function withCalls(written: readonly JsonObject[], require: string): readonly JsonObject[] {
  const rules = Object.fromEntries(
    ['Bash', 'Edit', 'Write', 'Read'].map((tool) => [tool, [{ require, message: 'No.' }]]),
  )
  return written.map((one) => {
    if ('name' in one) return one
    return { ...one, calls: { ...(one.calls as JsonObject | undefined), ...rules } }
  })
}
