import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Simulated } from '../../packages/core/src/history/simulation.ts'
import type { situation, Watched } from '../../packages/core/src/prove/situation.ts'
import type { Lane } from '../../packages/core/src/run/snapshot.ts'
import { compare } from './comparison.ts'

type Look = (play: Simulated, watched: Watched) => Parameters<typeof situation>

const seeing: Look = (play, watched) => [play, watched]
const eyes = vi.hoisted(() => ({ look: undefined as unknown }))

// The search with one eye shut: what it then takes for alike is not.
vi.mock('../../packages/core/src/prove/situation.ts', async (original) => {
  const real = await original<{ situation: typeof situation }>()
  const blinded: typeof situation = (play, watched) => {
    const look = (eyes.look ?? seeing) as Look // Set below alone.
    return real.situation(...look(play, watched))
  }
  return { ...real, situation: blinded }
})

afterEach(() => {
  eyes.look = undefined
})

function withLanes(change: (lane: Lane) => Lane): Look {
  return (play, watched) => {
    const { main, fork } = play.run
    const branches = fork?.branches.map((one) => ({ ...one, lane: change(one.lane) })) ?? []
    const run = { ...play.run, main: change(main), fork: fork && { ...fork, branches } }
    return [{ ...play, run }, watched]
  }
}

const withoutEvidence = withLanes((lane) => ({
  ...lane,
  frames: lane.frames.map((frame) => ({ ...frame, evidence: {} })),
}))
const withoutLimits: Look = (play, watched) => [play, { ...watched, calls: 'none', files: 'none' }]
const withoutApprovals = withLanes((lane) => ({ ...lane, approval: null }))

describe('brute force', { timeout: 240_000 }, () => {
  test.each([
    ['the freshness of evidence', withoutEvidence, 900_020],
    ['a pending approval', withoutApprovals, 900_040],
    ['the use of a limit', withoutLimits, 901_670],
  ] as const)('PV-3: catches a search that drops %s from situations', (_, look, first) => {
    eyes.look = look
    const seeds = Array.from({ length: 20 }, (__, index) => first + index)
    const caught = seeds.find((seed) => compare(seed).dispute !== null)
    expect(caught).toBeDefined()
    eyes.look = undefined
    expect(compare(caught ?? first).dispute).toBeNull()
  })
})
