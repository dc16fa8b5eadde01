import type { AgentStateKind } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { Modal } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'

export function StopButton(props: { readonly sessionId: string; readonly state: AgentStateKind }) {
  const { sessionId, state } = props
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const sure = useRef<HTMLButtonElement>(null)
  if (state === 'stopped' || state === 'stopping') return null
  const stop = async () => {
    try {
      await call(endpoints.stopSession, { params: { id: sessionId }, body: {} })
      setAsking(false)
    } catch (fault) {
      setProblem(problemOf(fault))
    }
  }
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsking(true)}>
        Stop
      </button>
      <Modal
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Stop the session"
        description="Everything it runs is ended. A stopped session cannot be taken up again."
        focusFirst={sure}
      >
        {problem === null ? null : <ProblemNote problem={problem} />}
        <div className="actions">
          <button type="button" className="button" onClick={() => setAsking(false)}>
            Cancel
          </button>
          <button ref={sure} type="button" className="button danger" onClick={() => void stop()}>
            Stop the session
          </button>
        </div>
      </Modal>
    </>
  )
}
