import type { Claim, JsonObject } from '@statewright/core/internal'

/** A source of choices that a seed fixes. */
export type Pick = <Item>(items: readonly Item[]) => Item

export function picker(seed: number): Pick {
  let state = (seed * 2654435761 + 12345) >>> 0
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    state ^= state >>> 13
    return state >>> 0
  }
  for (let at = 0; at < 5; at++) next()
  return (items) => {
    const item = items[next() % items.length]
    // Nobody picks from an empty list.
    return item as (typeof items)[number]
  }
}

const events = ['A', 'B', 'C']

/** A small definition without conditions, as an author might write it. */
export function randomWorkflow(pick: Pick): JsonObject {
  const live = ['s0', 's1', 's2', 's3'].slice(0, pick([2, 3, 3, 4]))
  const targets = [...live, 'end', 'lost']
  const hasInterrupt = pick([false, false, true])
  const hasPolicy = pick([false, false, false, true])
  const states: Record<string, JsonObject> = {}
  for (const name of live) states[name] = randomState(pick, targets, hasInterrupt)
  states.end = { type: 'final' }
  states.lost = { type: 'final', outcome: 'failure' }
  return {
    id: 'small',
    initial: 's0',
    context: { a: pick([null, 0, 1]) },
    meta: { approval_mode: 'ui' },
    states,
    guards: {
      has_a: { field: 'a', op: 'exists' },
      a_is_1: { field: 'a', op: 'eq', value: 1 },
      b_big: { field: 'b', op: 'gte', value: 2 },
      no_a: { field: 'a', op: 'not_exists' },
      child_ok: { field: 'child.c', op: 'eq', value: 1 },
      branch_ok: { field: 'branches.left.a', op: 'exists' },
      tested: { evidence: 't' },
    },
    evidence: {
      t: {
        tool: 'Bash',
        command: 'npm test',
        runner_files: pick([true, false]),
        ...(pick([true, false]) ? { stale_after: ['src/**'] } : {}),
      },
    },
    ...(hasInterrupt
      ? {
          interrupts: {
            i: {
              trigger: {
                file_pattern: pick(['src/**', '**/*.sql', '**']),
                shell: pick([true, false]),
              },
              target: pick(live),
            },
            ...(pick([true, false])
              ? { j: { trigger: { file_pattern: 'db/**', shell: true }, target: pick(live) } }
              : {}),
          },
        }
      : {}),
    ...(hasPolicy
      ? { policy: { ask: [{ capability: pick(['bash', 'edit']) }], default: 'allow' } }
      : {}),
  }
}

function randomState(pick: Pick, targets: readonly string[], hasInterrupt: boolean): JsonObject {
  const on: Record<string, JsonObject | string | JsonObject[]> = {}
  for (const event of events.slice(0, pick([1, 2, 2, 3]))) {
    on[event] = randomTransition(pick, targets, hasInterrupt)
  }
  const tools = pick([['Read'], ['Read', 'Edit'], ['Edit', 'Bash'], ['Bash'], [], undefined])
  return {
    on,
    ...(tools === undefined ? {} : { allowed_tools: tools }),
    ...(tools?.includes('Bash') && pick([true, false]) ? { allowed_commands: ['npm test'] } : {}),
    ...(pick([true, false, false]) ? { max_iterations: pick([1, 2]) } : {}),
    ...(pick([true, false, false, false, false]) ? { max_files_per_state: 1 } : {}),
    ...(pick([true, false, false, false]) ? { safe_next: pick(targets) } : {}),
  }
}

const guards = ['has_a', 'a_is_1', 'b_big', 'no_a', 'tested', 'tested', 'child_ok', 'branch_ok']

function randomTransition(pick: Pick, targets: readonly string[], hasInterrupt: boolean) {
  const kind = pick(['plain', 'plain', 'guard', 'guard', 'guard', 'list', 'fork', 'invoke', 'asks'])
  const target = hasInterrupt && pick([false, false, true]) ? '$return' : pick(targets)
  const asks = pick([true, false, false]) ? { requires_approval: true } : {}
  switch (kind) {
    case 'guard':
      return { target, guard: pick(guards), ...asks }
    case 'asks':
      return { target, requires_approval: true }
    case 'list':
      return [
        { target, guards: [pick(guards), pick(guards)], ...asks },
        { target: pick(targets), guard: pick(guards) },
        ...(pick([true, false]) ? [{ target: pick(targets) }] : []),
      ]
    case 'fork':
      return {
        fork: {
          branches: {
            left: { initial: pick(targets), terminal: pick(['end', 'lost']) },
            right: { initial: pick(targets), terminal: 'end' },
          },
          join: pick(['all', 'any']),
          on_complete: pick(targets),
          ...(pick([true, false]) ? { on_fail: pick(targets) } : {}),
        },
      }
    case 'invoke':
      return {
        invoke: 'child',
        on_complete: pick(targets),
        ...(pick([true, false]) ? { on_fail: pick(targets) } : {}),
      }
    default:
      return target
  }
}

/** The definition that a random one invokes. */
export function randomChild(pick: Pick): JsonObject {
  return {
    id: 'child',
    initial: 'c0',
    context: { c: pick([null, 1]) },
    output: pick([[], ['c'], ['a']]),
    states: {
      c0: {
        on: {
          A: { target: 'good', ...(pick([true, false]) ? { guard: 'has_c' } : {}) },
          B: pick(['bad', 'c0']),
        },
        ...(pick([true, false]) ? { allowed_tools: ['Read', 'Bash'] } : {}),
      },
      good: { type: 'final' },
      bad: { type: 'final', outcome: 'failure' },
    },
    guards: { has_c: { field: 'c', op: 'exists' } },
  }
}

/** The calls that claims speak of, and that brute force makes. */
export const calls = {
  read: { tool: 'Read', input: { file_path: 'a.txt' } },
  test: { tool: 'Bash', input: { command: 'npm test' } },
  source: { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } },
  query: { tool: 'Edit', input: { file_path: 'db/a.sql', old_string: 'a', new_string: 'b' } },
  other: { tool: 'Edit', input: { file_path: 'notes.md', old_string: 'a', new_string: 'b' } },
  notes: { tool: 'Edit', input: { file_path: 'db/a.md', old_string: 'a', new_string: 'b' } },
  touch: { tool: 'Bash', input: { command: 'touch src/a.ts' } },
  touchQuery: { tool: 'Bash', input: { command: 'touch db/b.sql' } },
} as const

/** A claim on it that may or may not hold. */
export function randomClaim(pick: Pick, definition: JsonObject): Claim {
  const states = Object.keys(definition.states as JsonObject)
  const kind = pick(['enter', 'enter', 'call', 'reach'])
  if (kind === 'reach')
    return { can_always_reach: pick([[], [pick(states)], [pick(states), 'end']]) }
  const known = eventsIn(definition)
  const moment = () =>
    pick([
      { enter: pick(states) },
      { event: pick(known) },
      ...(definition.interrupts === undefined ? [] : [{ interrupt: 'i' }]),
    ])
  const proof = () =>
    pick([
      { evidence: 't' },
      { approval: true as const },
      { approval: pick(known) },
      { visited: pick(states) },
    ])
  const unless = pick([[], [], [proof()], [proof()], [proof(), proof()]])
  return {
    never: kind === 'enter' ? { enter: pick(states) } : { call: pick(Object.values(calls)) },
    ...(unless.length === 0 ? {} : { unless }),
    ...(pick([true, false, false]) ? { in: [pick(states), pick(states)] } : {}),
    ...(pick([true, false, false, false]) ? { from: moment() } : {}),
    ...(pick([true, false, false, false]) ? { to: moment() } : {}),
  }
}

function eventsIn({ states }: JsonObject): string[] {
  const all = Object.values(states as JsonObject).flatMap((state) => {
    return Object.keys(((state as JsonObject).on ?? {}) as JsonObject)
  })
  return [...new Set(all)]
}
