import { endpoints, type Run } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { programQuery } from '../../api/program.ts'
import { plainText } from '../../model/plain-text.ts'
import { readProgram } from '../../model/program-text.ts'
import { Modal } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Puts a run of a workflow with `meta.debug` into another state, past all guards. */
export function ForceDialog(props: { readonly run: Run; readonly onClose: () => void }) {
  const { run, onClose } = props
  const program = useQuery(programQuery(run.run_id)).data
  const states = [...(readProgram(program?.program)?.program.root.states.keys() ?? [])]
  const [state, setState] = useState(run.state)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const client = useQueryClient()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await call(endpoints.forceState, { params: { id: run.run_id }, body: { state } })
      toast('plain', `Forced into ${plainText(state, 60)}`)
      await client.invalidateQueries({ queryKey: ['run', run.run_id] })
      onClose()
    } catch (fault) {
      setProblem(problemOf(fault))
    }
  }
  return (
    <Modal
      isOpen
      onClose={onClose}
      title="Force a state"
      description="For debugging: no guard is asked, and the history says that you did it."
    >
      <form className="stack" onSubmit={send}>
        <label className="field">
          <span>State</span>
          <select value={state} onChange={(event) => setState(event.target.value)}>
            {states.map((name) => (
              <option key={name} value={name}>
                {plainText(name, 80)}
              </option>
            ))}
          </select>
        </label>
        {problem === null ? null : <ProblemNote problem={problem} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button danger" disabled={state === run.state}>
            Force
          </button>
        </div>
      </form>
    </Modal>
  )
}
