import type { WorkflowDefinition } from '@statewright/core/internal'
import { useState } from 'react'
import { plainText } from '../../model/words/plain-text.ts'
import { Mark } from '../../ui/mark.tsx'
import { ChoiceField, FlagField } from './fields.tsx'

type Path = readonly string[]
type State = WorkflowDefinition['states'][string]
type Transition = NonNullable<State['on']>[string]

interface Simple {
  readonly target: string
  readonly guard: string
  readonly requires_approval: boolean
  /** What else is written there, which these fields do not show. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** The ways out of a state: target, guard and approval of each. */
export function TransitionFields(props: {
  readonly definition: WorkflowDefinition
  readonly name: string
  readonly state: State
  readonly set: (path: Path, value: unknown) => void
  readonly onGo: (path: Path) => void
}) {
  const { definition, name, state, set, onGo } = props
  const [event, setEvent] = useState('')
  const states = Object.keys(definition.states)
  const guards = Object.keys(definition.guards ?? {})
  const at = (one: string) => ['states', name, 'on', one]
  const written = Object.entries(state.on ?? {})
  return (
    <fieldset className="choices stack">
      <legend>
        <h3>Transitions</h3>
      </legend>
      {written.map(([one, transition]) => {
        const simple = simpleOf(transition)
        return (
          <div key={one} className="way-line">
            <span className="row spread">
              <code className="foreign">{plainText(one, 60)}</code>
              <span className="row tight">
                <button type="button" className="button small quiet" onClick={() => onGo(at(one))}>
                  Text
                </button>
                <button
                  type="button"
                  className="button small quiet danger"
                  aria-label={`Remove ${one}`}
                  onClick={() => set(at(one), undefined)}
                >
                  <Mark name="no" />
                </button>
              </span>
            </span>
            {simple === null ? (
              <p className="soft small-text">{shapeOf(transition)}: it is changed in the text.</p>
            ) : (
              <div className="field-grid">
                <ChoiceField
                  label="To"
                  value={simple.target}
                  options={[...states, '$return']}
                  onSet={(target) => set(at(one), transitionOf({ ...simple, target }))}
                />
                <ChoiceField
                  label="If"
                  value={simple.guard}
                  options={guards}
                  none="always"
                  onSet={(guard) => set(at(one), transitionOf({ ...simple, guard }))}
                />
                <FlagField
                  label="A person approves"
                  value={simple.requires_approval}
                  onSet={(requires_approval) =>
                    set(at(one), transitionOf({ ...simple, requires_approval }))
                  }
                />
              </div>
            )}
          </div>
        )
      })}
      <form
        className="row add-line"
        onSubmit={(submitted) => {
          submitted.preventDefault()
          const target = states.find((other) => other !== name) ?? name
          set(at(event.trim()), target)
          setEvent('')
        }}
      >
        <label className="field grow">
          <span>New event</span>
          <input
            value={event}
            placeholder="DONE"
            onChange={(typed) => setEvent(typed.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={event.trim() === ''}>
          Add
        </button>
      </form>
    </fieldset>
  )
}

function simpleOf(transition: Transition): Simple | null {
  if (typeof transition === 'string') {
    return { target: transition, guard: '', requires_approval: false, rest: {} }
  }
  if (Array.isArray(transition) || !('target' in transition)) return null
  const { target, guard = '', requires_approval = false, ...rest } = transition
  return { target, guard, requires_approval, rest }
}

/** As short as it can be written: a plain target needs no braces. */
function transitionOf({ target, guard, requires_approval, rest }: Simple): unknown {
  const more = {
    ...(guard === '' ? {} : { guard }),
    ...(requires_approval ? { requires_approval } : {}),
    ...rest,
  }
  return Object.keys(more).length === 0 ? target : { target, ...more }
}

function shapeOf(transition: Transition): string {
  if (Array.isArray(transition)) return 'Several targets; the first that passes is taken'
  if (typeof transition === 'object' && 'fork' in transition) return 'A fork'
  return 'It invokes another definition'
}
