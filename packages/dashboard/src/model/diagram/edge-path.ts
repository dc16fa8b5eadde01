import { type Definition, own } from '@statewright/core/internal'
import { anywhere } from './run-graph.ts'

type Path = readonly string[]
type Transition = NonNullable<WorkflowStates[string]['on']>[string]
type WorkflowStates = Extract<Definition, { kind: 'workflow' }>['definition']['states']

/** The place in a definition that an arrow of its picture is drawn from. */
export function edgePath(definition: Definition, from: string, to: string): Path | undefined {
  if (definition.kind === 'process') {
    const answers = own(definition.definition.states, from)?.answers ?? {}
    const found = Object.entries(answers).find(([, { next }]) => (next ?? 'end') === to)
    return found === undefined ? undefined : ['states', from, 'answers', found[0]]
  }
  const { states, interrupts = {} } = definition.definition
  if (from === anywhere) {
    const found = Object.entries(interrupts).find(([, { target }]) => target === to)
    return found === undefined ? undefined : ['interrupts', found[0]]
  }
  const state = own(states, from)
  const target = to === anywhere ? '$return' : to
  for (const [event, transition] of Object.entries(state?.on ?? {})) {
    if (targetsOf(transition).includes(target)) return ['states', from, 'on', event]
  }
  if (state?.safe_next === to) return ['states', from, 'safe_next']
  return joinPath(states, from, to)
}

/** A join is drawn from the last state of a branch, but written where the fork is. */
function joinPath(states: WorkflowStates, from: string, to: string): Path | undefined {
  for (const [name, { on = {} }] of Object.entries(states)) {
    for (const [event, transition] of Object.entries(on)) {
      if (typeof transition === 'string' || !('fork' in transition)) continue
      const { branches, on_complete } = transition.fork
      const ends = Object.values(branches).some(({ terminal }) => terminal === from)
      if (ends && on_complete === to) return ['states', name, 'on', event]
    }
  }
  return undefined
}

function targetsOf(transition: Transition): readonly (string | undefined)[] {
  if (typeof transition === 'string') return [transition]
  if (Array.isArray(transition)) return transition.map(({ target }) => target)
  if ('invoke' in transition) return [transition.on_complete, transition.on_fail]
  if ('target' in transition) return [transition.target]
  const { branches, on_fail } = transition.fork
  return [...Object.values(branches).map(({ initial }) => initial), on_fail]
}
