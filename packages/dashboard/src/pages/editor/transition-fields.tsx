import type { WorkflowDefinition } from '@statewright/core/internal'
import { plainText } from '../../model/words/plain-text.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { AddForm, ChoiceField, FlagField } from './fields.tsx'

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
  const states = Object.keys(definition.states)
  const guards = Object.keys(definition.guards ?? {})
  const at = (one: string) => ['states', name, 'on', one]
  return (
    <fieldset className="choices stack">
      <legend>
        <h3>Transitions</h3>
      </legend>
      {Object.entries(state.on ?? {}).map(([event, transition]) => (
        <TransitionLine
          key={event}
          event={event}
          transition={transition}
          targets={[...states, '$return']}
          guards={guards}
          onSet={(value) => set(at(event), value)}
          onText={() => onGo(at(event))}
        />
      ))}
      <AddForm
        label="New event"
        word="Add"
        placeholder="DONE"
        onAdd={(event) => set(at(event), states.find((other) => other !== name) ?? name)}
      />
    </fieldset>
  )
}

/** One way out: where it leads, and on what terms. */
function TransitionLine(props: {
  readonly event: string
  readonly transition: Transition
  readonly targets: readonly string[]
  readonly guards: readonly string[]
  readonly onSet: (transition: unknown) => void
  readonly onText: () => void
}) {
  const { event, transition, targets, guards, onSet, onText } = props
  const simple = simpleOf(transition)
  return (
    <div className="way-line">
      <span className="row spread">
        <code className="foreign">{plainText(event, 60)}</code>
        <span className="row tight">
          <button type="button" className="button small quiet" onClick={onText}>
            Text
          </button>
          <button
            type="button"
            className="button small quiet danger"
            aria-label={`Remove ${event}`}
            onClick={() => onSet(undefined)}
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
            options={targets}
            onSet={(target) => onSet(transitionOf({ ...simple, target }))}
          />
          <ChoiceField
            label="If"
            value={simple.guard}
            options={guards}
            none="always"
            onSet={(guard) => onSet(transitionOf({ ...simple, guard }))}
          />
          <FlagField
            label="A person approves"
            value={simple.requires_approval}
            onSet={(requires_approval) => onSet(transitionOf({ ...simple, requires_approval }))}
          />
        </div>
      )}
    </div>
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
