import { type Definition, own } from '@statewright/core/internal'
import { memo, useState } from 'react'
import { addState, removeState, renameState } from '../../model/text/draw-text.ts'
import { setField } from '../../model/text/edit-text.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { AnswerFields } from './answer-fields.tsx'
import { FlagField, LinesField, NumberField, TextField } from './fields.tsx'
import { TransitionFields } from './transition-fields.tsx'

type Path = readonly string[]

interface PanelProps {
  readonly definition: Definition | null
  readonly currentText: () => string
  readonly state: string | undefined
  readonly onState: (state: string) => void
  readonly onText: (text: string) => void
  readonly onGo: (path: Path) => void
}

/** The fields of one state. What is changed here is written into the text, and nothing else is. */
export const StatePanel = memo(function StatePanel(props: PanelProps) {
  const { definition, currentText, state, onState, onText, onGo } = props
  const [isRefused, setRefused] = useState(false)
  if (definition === null) return <p className="soft">The text has no states yet.</p>
  const names = Object.keys(definition.definition.states)
  const take = (edited: string | null, next?: string) => {
    setRefused(edited === null)
    if (edited === null) return
    onText(edited)
    if (next !== undefined) onState(next)
  }
  const set = (path: Path, value: unknown) => take(setField(currentText(), path, value))
  const isKnown = state !== undefined && names.includes(state)
  return (
    <div className="stack">
      <label className="field">
        <span>State</span>
        <select value={isKnown ? state : ''} onChange={(event) => onState(event.target.value)}>
          {isKnown ? null : <option value="">Select a state (list, diagram or text)</option>}
          {names.map((name) => (
            <option key={name} value={name}>
              {plainText(name, 80)}
            </option>
          ))}
        </select>
      </label>
      {isRefused ? (
        <p className="note bad" role="alert">
          The text cannot be read as it is; fix it first.
        </p>
      ) : null}
      {isKnown ? (
        <StateName
          key={`name of ${state}`}
          name={state}
          isTaken={(name) => names.includes(name)}
          onRename={(name) => take(renameState(currentText(), state, name), name)}
          onRemove={() => take(removeState(currentText(), state))}
        />
      ) : null}
      {isKnown ? (
        <StateFields key={state} {...{ definition, names, set, onGo }} name={state} />
      ) : null}
      <AddState
        names={names}
        onAdd={(name) => take(addState(currentText(), definition.kind, name), name)}
      />
    </div>
  )
})

function StateFields(props: {
  readonly definition: Definition
  readonly name: string
  readonly names: readonly string[]
  readonly set: (path: Path, value: unknown) => void
  readonly onGo: (path: Path) => void
}) {
  const { definition, name, names, set, onGo } = props
  if (definition.kind === 'workflow') {
    return <WorkflowState definition={definition.definition} {...{ name, set, onGo }} />
  }
  const question = own(definition.definition.states, name)
  return <AnswerFields states={names} {...{ question, name, set }} />
}

type Workflow = Extract<Definition, { kind: 'workflow' }>['definition']

const limits = [
  ['max_iterations', 'Tool calls at most'],
  ['max_edit_lines', 'Lines per edit at most'],
  ['max_files_per_state', 'Files changed at most'],
  ['context_budget_bytes', 'Bytes of results at most'],
] as const

function WorkflowState(props: {
  readonly definition: Workflow
  readonly name: string
  readonly set: (path: Path, value: unknown) => void
  readonly onGo: (path: Path) => void
}) {
  const { definition, name, set, onGo } = props
  const state = own(definition.states, name)
  if (state === undefined) return null
  const at = (field: string) => ['states', name, field]
  const isFinal = state.type === 'final'
  return (
    <>
      <div className="row">
        <FlagField
          label="Starts here"
          value={definition.initial === name}
          isFixed={definition.initial === name}
          onSet={() => set(['initial'], name)}
        />
        <FlagField
          label="Final: reaching it ends the run"
          value={isFinal}
          onSet={(value) => set(at('type'), value ? 'final' : undefined)}
        />
      </div>
      {isFinal ? null : (
        <>
          <TextField
            label="Instructions"
            value={state.instructions ?? ''}
            onSet={(value) => set(at('instructions'), value === '' ? undefined : value)}
          />
          <LinesField
            label="Allowed tools"
            hint={
              state.allowed_tools === undefined
                ? 'Not listed: any tool may be used.'
                : 'One per line. Empty: none may be used.'
            }
            value={state.allowed_tools}
            onSet={(value) => set(at('allowed_tools'), value)}
          />
          <LinesField
            label="Allowed commands"
            hint="One per line, compared word by word from the start. Not listed: any."
            value={state.allowed_commands}
            onSet={(value) => set(at('allowed_commands'), value)}
          />
          <div className="field-grid">
            {limits.map(([field, label]) => (
              <NumberField
                key={field}
                label={label}
                value={state[field]}
                onSet={(value) => set(at(field), value)}
              />
            ))}
          </div>
          <TransitionFields
            definition={definition}
            name={name}
            state={state}
            set={set}
            onGo={onGo}
          />
        </>
      )}
    </>
  )
}

/** The name of the state, which is changed wherever the text has it, and an end to it. */
function StateName(props: {
  readonly name: string
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}) {
  const { name, isTaken, onRename, onRemove } = props
  const [draft, setDraft] = useState(name)
  const next = draft.trim()
  const isReady = next !== '' && next !== name && !isTaken(next)
  return (
    <form
      className="row add-line"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onRename(next)
      }}
    >
      <label className="field grow">
        <span>Name</span>
        <input value={draft} onChange={(event) => setDraft(event.target.value)} />
      </label>
      <button type="submit" className="button" disabled={!isReady}>
        Rename
      </button>
      <button type="button" className="button danger" onClick={onRemove}>
        Delete
      </button>
    </form>
  )
}

function AddState(props: {
  readonly names: readonly string[]
  readonly onAdd: (name: string) => void
}) {
  const { names, onAdd } = props
  const [name, setName] = useState('')
  const isTaken = names.includes(name.trim())
  return (
    <form
      className="row add-line"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '' || isTaken) return
        onAdd(name.trim())
        setName('')
      }}
    >
      <label className="field grow">
        <span>New state</span>
        <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit" className="button" disabled={name.trim() === '' || isTaken}>
        Add
      </button>
    </form>
  )
}
