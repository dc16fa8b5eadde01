import type { Json, JsonObject } from '@statewright/core/internal'
import { pick } from './pick.ts'
import { build } from './world.ts'

/** Changes that an author may make to a workflow, each small. */
type Change = (definition: JsonObject, by: number) => JsonObject

const changes: readonly Change[] = [
  // Other tools in a state.
  (one, by) =>
    inState(one, by, (state) => ({
      ...state,
      allowed_tools: pick([['Read'], ['Read', 'Edit', 'Bash'], [], ['Edit', 'Write']], by >> 3),
    })),
  (one, by) => inState(one, by, ({ allowed_tools: _, ...state }) => state),
  // Other limits.
  (one, by) => inState(one, by, (state) => ({ ...state, max_iterations: 1 + (by % 4) })),
  (one, by) => inState(one, by, (state) => ({ ...state, max_files_per_state: 1 + (by % 2) })),
  (one, by) => inState(one, by, (state) => ({ ...state, allowed_commands: ['npm test'] })),
  // Another way, or none.
  (one, by) =>
    inState(one, by, (state) => ({
      ...state,
      on: changedEvent(state.on, by >> 3, () => pick(['s0', 's1', 'done', 'failed'], by)),
    })),
  (one, by) =>
    inState(one, by, (state) => ({
      ...state,
      on: changedEvent(state.on, by >> 3, () => ({ target: 's1', guard: 'g0' })),
    })),
  (one, by) =>
    inState(one, by, (state) => ({
      ...state,
      on: changedEvent(state.on, by >> 3, () => ({
        target: 's1',
        requires_approval: true,
        approval_message: 'Ready?',
      })),
    })),
  // A policy without counters, in the place of the one that was there.
  (one, by) => ({
    ...one,
    policy: {
      deny: [{ capability: pick(['bash', 'edit', 'read', 'webfetch'], by) }],
      ask: [{ capability: pick(['write', 'mcp:fs:*', 'bash'], by >> 2) }],
    },
  }),
  ({ policy: _, ...one }) => one,
  ({ interrupts: _, ...one }) => one,
  (one, by) => ({ ...one, guards: { ...(one.guards as JsonObject), g0: oneGuard(by) } }),
]

/** One to three changes of the definitions; those that make none of them valid are left out. */
export function changeOf(
  written: readonly JsonObject[],
  by: readonly number[],
): readonly JsonObject[] {
  let now = written
  for (let index = 0; index + 1 < Math.min(by.length, 7); index += 2) {
    const [which = 0, how = 0] = by.slice(index, index + 2)
    // Mostly the definition that every run begins in.
    const at = how % 3 === 0 ? how % now.length : 0
    const definition = now[at]
    if (definition === undefined || 'name' in definition) continue
    const next = now.with(at, pick(changes, which)(definition, how))
    if (isValid(next)) now = next
  }
  return now
}

function isValid(written: readonly JsonObject[]): boolean {
  try {
    build(written)
    return true
  } catch {
    return false
  }
}

function oneGuard(by: number): JsonObject {
  return { field: 'x', op: pick(['exists', 'not_exists'], by) }
}

function inState(one: JsonObject, by: number, change: (state: JsonObject) => JsonObject) {
  const states = one.states as JsonObject
  const name = pick(
    Object.keys(states).filter((state) => (states[state] as JsonObject).type !== 'final'),
    by,
  )
  return { ...one, states: { ...states, [name]: change(states[name] as JsonObject) } }
}

function changedEvent(on: Json | undefined, by: number, change: () => Json): JsonObject {
  const known = (on ?? {}) as JsonObject
  if (Object.keys(known).length === 0) return known
  return { ...known, [pick(Object.keys(known), by)]: change() }
}
