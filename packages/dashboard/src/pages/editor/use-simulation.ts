import type { Program, ProgramTable } from '@statewright/core/internal'
import { useMemo, useState } from 'react'
import { startPlay } from '../../model/simulator/play.ts'
import { type Attempt, playAgain, type Simulation } from '../../model/simulator/simulation.ts'

/** The steps that were tried; they are played again whenever the text changes. */
export interface SimulationControls {
  readonly current: Simulation | null
  readonly attempt: (tried: Attempt) => void
  readonly stepBack: () => void
  readonly restart: () => void
  /** Begins a story that somebody else wrote, such as one that refutes a claim. */
  readonly show: (story: readonly Attempt[]) => void
  /** Steps of it that are still to come. */
  readonly upcoming: number
  readonly stepOn: () => void
  /** What a person asked for, which conditions may read. */
  readonly task: string
  readonly setTask: (task: string) => void
}

export function useSimulation(
  program: Program | null,
  programs: ProgramTable | undefined,
): SimulationControls {
  const [steps, setSteps] = useState<readonly Attempt[]>([])
  const [story, setStory] = useState<readonly Attempt[]>([])
  // One moment for the whole story: waiting plays no part in it.
  const [at] = useState(() => Date.now())
  const [task, setTask] = useState('')
  const current = useMemo(() => {
    if (program === null) return null
    return playAgain(steps, startPlay(program, at, programs, task || undefined), at)
  }, [program, programs, steps, at, task])
  return {
    current,
    attempt: (tried) => {
      setSteps([...steps, tried])
      setStory([])
    },
    stepBack: () => setSteps(steps.slice(0, -1)),
    restart: () => setSteps([]),
    show: (shown) => {
      setStory(shown)
      setSteps(shown.slice(0, 1))
    },
    upcoming: Math.max(0, story.length - steps.length),
    stepOn: () => setSteps(story.slice(0, steps.length + 1)),
    task,
    setTask,
  }
}
