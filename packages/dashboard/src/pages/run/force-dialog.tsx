import { endpoints, type Run } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { programQuery } from '../../api/resources/entries.ts'
import { readProgram } from '../../model/history/program-text.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'

/** Puts a run of a workflow with `meta.debug` into another state, past all guards. */
export function ForceDialog(props: { readonly run: Run; readonly onClose: () => void }) {
  const { run, onClose } = props
  const program = useQuery(programQuery(run.run_id)).data
  const states = [...(readProgram(program?.program)?.program.root.states.keys() ?? [])]
  const [state, setState] = useState(run.state)
  return (
    <Confirm
      title="Force a state"
      description="For debugging: no guard is checked, and the history records that you did it."
      word="Force"
      act={() => call(endpoints.forceState, { params: { id: run.run_id }, body: { state } })}
      changes={['run', run.run_id]}
      done={`Forced into ${plainText(state, 60)}`}
      tone="plain"
      isDangerous
      isReady={state !== run.state}
      onClose={onClose}
    >
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
    </Confirm>
  )
}
