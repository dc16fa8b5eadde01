import { endpoints } from '@statewright/core/wire'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { ProblemNote } from '../page/problem-note.tsx'
import { setTour } from './tour-state.ts'

/** Plays a scripted agent on the real server: it is denied, interrupted, forks, and asks. */
export function DemoButton() {
  const [isPlaying, setPlaying] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const play = async () => {
    setPlaying(true)
    setProblem(null)
    try {
      const { run_id: runId } = await call(endpoints.startDemo, { body: {} })
      setTour({ runId, chapter: 0 })
      setPlaying(false)
    } catch (fault) {
      setProblem(problemOf(fault))
      setPlaying(false)
    }
  }
  return (
    <>
      <button
        type="button"
        className="button primary"
        disabled={isPlaying}
        onClick={() => void play()}
      >
        {isPlaying ? 'The demo is playing…' : 'Play the demo'}
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  )
}
