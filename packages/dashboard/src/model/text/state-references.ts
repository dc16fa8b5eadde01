import { fieldOf } from './edit-text.ts'

/** The names and positions from the top of a definition down to a value. */
export type ValuePath = readonly (string | number)[]

/** Every position at which a definition, as it is written, names one of its states. */
export function stateReferences(value: unknown): readonly ValuePath[] {
  const found: ValuePath[] = []
  const note = (path: ValuePath) => {
    if (typeof valueAt(value, path) === 'string') found.push(path)
  }
  note(['initial'])
  for (const [state, body] of membersOf(fieldOf(value, ['states']))) {
    const at = ['states', state]
    note([...at, 'safe_next'])
    for (const [event, transition] of membersOf(fieldOf(body, ['on']))) {
      transitionTargets([...at, 'on', event], transition).forEach(note)
    }
    for (const [answer] of membersOf(fieldOf(body, ['answers']))) {
      note([...at, 'answers', answer, 'next'])
    }
  }
  for (const [name] of membersOf(fieldOf(value, ['interrupts']))) {
    note(['interrupts', name, 'target'])
  }
  return found
}

/** Where a transition may name states, in whichever of its shapes it is written. */
function transitionTargets(at: ValuePath, transition: unknown): readonly ValuePath[] {
  if (typeof transition === 'string') return [at]
  if (Array.isArray(transition)) return transition.map((_, index) => [...at, index, 'target'])
  const branches = membersOf(fieldOf(transition, ['fork', 'branches']))
  return [
    ...['target', 'on_complete', 'on_fail'].map((field) => [...at, field]),
    ...['on_complete', 'on_fail'].map((field) => [...at, 'fork', field]),
    ...branches.flatMap(([name]) =>
      ['initial', 'terminal'].map((field) => [...at, 'fork', 'branches', name, field]),
    ),
  ]
}

export function valueAt(value: unknown, path: ValuePath): unknown {
  let found = value
  for (const name of path) {
    found = Array.isArray(found) ? found[Number(name)] : fieldOf(found, [String(name)])
  }
  return found
}

export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value)
}
