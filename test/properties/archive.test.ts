import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Archiver } from '../../packages/server/src/archive/archiver.ts'
import { verifyArchive } from '../../packages/server/src/archive/verify-archive.ts'
import { changeRun, transition } from '../../packages/server/src/runtime/runs/change-run.ts'
import { startRun } from '../../packages/server/src/runtime/runs/start-run.ts'
import { check } from '../../packages/server/testing/adapters.ts'
import { lengthOf, longestMs, seedOf } from '../../packages/server/testing/length.ts'
import {
  agent,
  ann,
  openRuntime,
  other,
  type RuntimeWorld,
  save,
} from '../../packages/server/testing/runtime.ts'

const dayMs = 86_400_000
const callers = { ann, agent, other } as const
const work = { allowed_tools: ['Read', 'Write'], on: { DONE: 'done', BACK: 'work' } }
const states = { work, done: { type: 'final' } }
const definitions = [
  { id: 'closing', initial: 'work', after_end: 'closed', states },
  {
    id: 'limited',
    initial: 'work',
    after_end: 'policy',
    states,
    policy: {
      allow: [
        { capability: 'Read', rate_limit: { max_calls: 3, window_seconds: 86_400 } },
        { capability: 'Write', budget_limit: { max_usd: 1, period: 'monthly' } },
      ],
      default: 'deny',
    },
  },
  { id: 'open', initial: 'work', states },
] as const

const who = fc.constantFrom('ann', 'agent', 'other' as const)
const session = fc.constantFrom('s1', 's2', undefined)
const step = fc.oneof(
  fc.record({
    type: fc.constant('start' as const),
    who,
    session,
    workflow: fc.constantFrom(...definitions.map(({ id }) => id)),
  }),
  fc.record({
    type: fc.constant('call' as const),
    who,
    session,
    tool: fc.constantFrom('Read', 'Write', 'Bash'),
  }),
  fc.record({ type: fc.constant('move' as const), who, session: fc.constantFrom('s1', 's2') }),
  fc.record({ type: fc.constant('stop' as const), run: fc.nat(9) }),
  fc.record({ type: fc.constant('days' as const), days: fc.constantFrom(0.3, 2, 5) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

class Side {
  readonly world: RuntimeWorld
  readonly #runs: string[] = []
  #calls = 0

  constructor(world: RuntimeWorld) {
    this.world = world
  }

  /** What an outsider learns of the step. */
  async play(one: Step): Promise<unknown> {
    const { runtime, guard } = this.world
    if (one.type === 'start') {
      const { workflow } = one
      const named = one.session === undefined ? {} : { session: one.session }
      const started = await startRun(runtime, callers[one.who], { workflow, ...named })
      if (started.ok) this.#runs.push(started.value.live.row.runId)
      return started.ok ? 'started' : started.error.code
    }
    if (one.type === 'call') {
      const input = { file_path: '/srv/a', content: 'b', command: 'ls' }
      const call = { tool: one.tool, input, callId: `c${this.#calls++}` }
      const named = one.session === undefined ? {} : { session: one.session }
      const judged = await check(guard, callers[one.who], { ...call, ...named })
      return [judged.decision, judged.code]
    }
    if (one.type === 'move') {
      const request = { session: one.session, event: 'DONE' }
      const moved = await transition(runtime, callers[one.who], request)
      return moved.ok ? moved.value.answer.type : moved.error.code
    }
    if (one.type === 'stop') {
      const run = this.#runs[one.run % Math.max(1, this.#runs.length)]
      if (run === undefined) return null
      const stopped = await changeRun(runtime, ann, { run }, (_live, facts) => ({
        ...facts,
        type: 'stopped',
      }))
      return stopped.ok ? 'stopped' : stopped.error.code
    }
    return null
  }
}

async function openSide(now: () => number): Promise<Side> {
  let ids = 0
  const clock = { now, newId: (prefix: string) => `${prefix}_${++ids}` }
  const world = await openRuntime({ clock, settings: { keepMs: dayMs } })
  for (const definition of definitions) await save(world.runtime, definition)
  return new Side(world)
}

describe('runs whose history is archived', { timeout: longestMs }, () => {
  test('AR-2: decide every call as they would with their history in the store', async () => {
    let archived = 0
    const story = fc.array(step, { minLength: 15, maxLength: 40 })
    const claim = fc.asyncProperty(story, async (steps) => {
      let at = Date.UTC(2026, 0, 1)
      const [plain, kept] = [await openSide(() => at), await openSide(() => at)]
      const folder = join(kept.world.folder, 'archive')
      const quiet = { onArchived: () => {}, onBroken: fail, onFault: fail }
      const archiver = new Archiver(kept.world.runtime, { folder, node: 'n', ...quiet })
      try {
        for (const one of steps) {
          if (one.type === 'days') at += one.days * dayMs
          expect(await kept.play(one)).toEqual(await plain.play(one))
          archived += await archiver.pass()
          at += 1
        }
        expect(verifyArchive([folder]).filter(({ ok }) => !ok)).toEqual([])
      } finally {
        await archiver.close()
        await plain.world.close()
        await kept.world.close()
      }
    })
    const numRuns = lengthOf({ sample: 12, long: 500 })
    await fc.assert(claim, { numRuns, seed: seedOf(20_261_117) })
    expect(archived).toBeGreaterThan(0)
  })
})

function fail(why: unknown): never {
  throw new Error(String(why))
}
