import type { Simulated } from '../../packages/core/src/history/simulation.ts'
import type { situation, Watched } from '../../packages/core/src/prove/situation.ts'
import type { Lane } from '../../packages/core/src/run/snapshot.ts'

type Look = (play: Simulated, watched: Watched) => Parameters<typeof situation>

const everyLane = (change: (lane: Lane) => Lane): Look => {
  return (play, watched) => {
    const { main, fork } = play.run
    const branches = fork?.branches.map((one) => ({ ...one, lane: change(one.lane) })) ?? []
    const run = { ...play.run, main: change(main), fork: fork && { ...fork, branches } }
    return [{ ...play, run }, watched]
  }
}

/** What a search may be made blind to, so that it takes for alike what is not. */
const looks = {
  evidence: everyLane((lane) => ({
    ...lane,
    frames: lane.frames.map((frame) => ({ ...frame, evidence: {} })),
  })),
  approval: everyLane((lane) => ({ ...lane, approval: null })),
  limits: (play, watched) => [play, { ...watched, calls: 'none', files: 'none' }],
  facts: ({ run: { facts: _, ...run }, ...play }, watched) => [{ ...play, run }, watched],
  marks: ({ run: { marks: _, ...run }, ...play }, watched) => [{ ...play, run }, watched],
} satisfies Record<string, Look>

export type Blindness = keyof typeof looks

export function blinded(kind: Blindness, whole: typeof situation): typeof situation {
  const look: Look = looks[kind]
  return (play, watched) => whole(...look(play, watched))
}
