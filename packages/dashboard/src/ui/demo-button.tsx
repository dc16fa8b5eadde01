import { endpoints } from '@statewright/core/wire'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { type ApiProblem, problemOf } from '../api/problem.ts'
import { setDemoRun } from './demo-state.ts'
import { ProblemNote } from './problem-note.tsx'

/** Plays a scripted agent on the real server: it is denied, interrupted, forks, and asks. */
export function DemoButton() {
  const [isPlaying, setPlaying] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const play = async () => {
    setPlaying(true)
    try {
      const { run_id: runId } = await call(endpoints.startDemo, { body: {} })
      setDemoRun(runId)
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
        {isPlaying ? 'The demo plays…' : 'Play the demo'}
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  )
}
