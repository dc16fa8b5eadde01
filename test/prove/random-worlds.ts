import type { Claim, JsonObject } from '@statewright/core/internal'
import type { Pick } from './picker.ts'
import { type RandomConditions, randomConditions, randomDetour } from './random-conditions.ts'

const events = ['A', 'B', 'C']

/** What a definition may have beside states and events. A few at a time keep its runs countable. */
const features = [
  ...['data', 'evidence', 'approval', 'fork', 'invoke', 'interrupt'],
  ...['policy', 'calls limit', 'files limit', 'safe_next', 'conditions', 'conditions'],
] as const
type Feature = (typeof features)[number]
type Has = (feature: Feature) => boolean

/** A small definition, as an author might write it. */
export function randomWorkflow(pick: Pick): JsonObject {
  const has = randomFeatures(pick)
  const conditions = has('conditions') ? randomConditions(pick) : null
  const live = ['s0', 's1', 's2'].slice(0, pick([1, 2, 2, 3]))
  const targets = [...live, 'end', 'lost']
  const states: Record<string, JsonObject> = {}
  for (const name of live) states[name] = randomState(pick, targets, has, conditions)
  states.end = { type: 'final' }
  states.lost = { type: 'final', outcome: 'failure' }
  return {
    id: 'small',
    initial: 's0',
    ...(has('data') ? { context: { a: pick([null, 0, 1]) } } : {}),
    meta: { approval_mode: 'ui' },
    states,
    guards: usedGuards(states, conditions),
    ...(has('evidence') ? { evidence: { t: randomEvidence(pick) } } : {}),
    ...(has('interrupt') ? { interrupts: randomInterrupts(pick, live, has) } : {}),
    ...(has('policy')
      ? { policy: { ask: [{ capability: pick(['bash', 'edit']) }], default: 'allow' } }
      : {}),
    ...conditions?.definition,
  }
}

function randomFeatures(pick: Pick): Has {
  const count = pick([1, 2, 2, 2, 3, 3, 3, 4, 4, 11])
  const chosen = new Set<Feature>()
  while (chosen.size < count) chosen.add(pick(features))
  return (feature) => chosen.has(feature)
}

function randomEvidence(pick: Pick): JsonObject {
  return {
    tool: 'Bash',
    command: 'npm test',
    runner_files: pick([true, false]),
    ...(pick([true, false]) ? { stale_after: ['src/**'] } : {}),
  }
}

function randomInterrupts(pick: Pick, live: readonly string[], has: Has): JsonObject {
  const pattern = pick(['src/**', '**/*.sql', '**'])
  const second = { trigger: { file_pattern: 'db/**', shell: true }, target: pick(live) }
  return {
    i: { trigger: { file_pattern: pattern, shell: pick([true, false]) }, target: pick(live) },
    ...(pick([true, false]) ? { j: second } : {}),
    ...(has('conditions') && pick([true, false]) ? { k: randomDetour(pick, pick(live)) } : {}),
  }
}

const allGuards: Readonly<Record<string, JsonObject>> = {
  has_a: { field: 'a', op: 'exists' },
  a_is_1: { field: 'a', op: 'eq', value: 1 },
  b_big: { field: 'b', op: 'gte', value: 2 },
  no_a: { field: 'a', op: 'not_exists' },
  child_ok: { field: 'child.c', op: 'eq', value: 1 },
  branch_ok: { field: 'branches.left.a', op: 'exists' },
  tested: { evidence: 't' },
}

function usedGuards(states: JsonObject, conditions: RandomConditions | null): JsonObject {
  const text = JSON.stringify(states)
  const used = Object.entries({ ...allGuards, ...conditions?.guards }).filter(([name]) =>
    text.includes(`"${name}"`),
  )
  return Object.fromEntries(used)
}

function guardsFor(has: Has, conditions: RandomConditions | null): string[] {
  return [
    ...(has('data') ? ['has_a', 'a_is_1', 'no_a', 'b_big'] : []),
    ...(has('evidence') ? ['tested', 'tested', 'tested'] : []),
    ...(has('data') && has('invoke') ? ['child_ok', 'child_ok'] : []),
    ...(has('data') && has('fork') ? ['branch_ok', 'branch_ok'] : []),
    ...Object.keys(conditions?.guards ?? {}).flatMap((name) => [name, name]),
  ]
}

function randomState(
  pick: Pick,
  targets: readonly string[],
  has: Has,
  conditions: RandomConditions | null,
): JsonObject {
  const on: Record<string, JsonObject | string | JsonObject[]> = {}
  for (const event of events.slice(0, pick([1, 2, 2, 3]))) {
    on[event] = randomTransition(pick, targets, has, guardsFor(has, conditions))
  }
  const tools = pick([['Read'], ['Read', 'Edit'], ['Edit', 'Bash'], ['Bash'], undefined])
  return {
    on,
    ...(tools === undefined ? {} : { allowed_tools: tools }),
    ...(tools?.includes('Bash') && pick([true, false]) ? { allowed_commands: ['npm test'] } : {}),
    ...(has('calls limit') && pick([true, false]) ? { max_iterations: pick([1, 2]) } : {}),
    ...(has('files limit') && pick([true, false]) ? { max_files_per_state: 1 } : {}),
    ...(has('safe_next') && pick([true, false]) ? { safe_next: pick(targets) } : {}),
  }
}

function randomTransition(
  pick: Pick,
  targets: readonly string[],
  has: Has,
  guards: readonly string[],
) {
  const guarded = guards.length > 0 ? ['guard', 'guard', 'guard', 'list'] : []
  const other = (['fork', 'invoke', 'approval'] as const).filter(has)
  const kind = pick(['plain', 'plain', ...guarded, ...other, ...other])
  const target = has('interrupt') && pick([false, false, true]) ? '$return' : pick(targets)
  const asks = has('approval') && pick([true, false]) ? { requires_approval: true } : {}
  switch (kind) {
    case 'guard':
      return { target, guard: pick(guards), ...asks }
    case 'approval':
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
  readSource: { tool: 'Read', input: { file_path: 'src/a.ts' } },
  test: { tool: 'Bash', input: { command: 'npm test' } },
  source: { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } },
  query: { tool: 'Edit', input: { file_path: 'db/a.sql', old_string: 'a', new_string: 'b' } },
  other: { tool: 'Edit', input: { file_path: 'notes.md', old_string: 'a', new_string: 'b' } },
  text: { tool: 'Edit', input: { file_path: 'a.txt', old_string: 'a', new_string: 'b' } },
  notes: { tool: 'Edit', input: { file_path: 'db/a.md', old_string: 'a', new_string: 'b' } },
  touch: { tool: 'Bash', input: { command: 'touch src/a.ts' } },
  touchQuery: { tool: 'Bash', input: { command: 'touch db/b.sql' } },
} as const

/** What a state that allows `npm test` lets through as well: its output goes into a file. */
const redirects = {
  source: { tool: 'Bash', input: { command: 'npm test > src/a.ts' } },
  query: { tool: 'Bash', input: { command: 'npm test > db/a.sql' } },
} as const

/** What a condition on `Edit` does not speak of. */
const writes = {
  source: { tool: 'Write', input: { file_path: 'src/a.ts', content: 'c' } },
  query: { tool: 'Write', input: { file_path: 'db/a.sql', content: 'c' } },
} as const

/** The calls that can make a difference to a definition, by the files that it speaks of. */
export function callsFor(definition: JsonObject): readonly WorldCall[] {
  const { read, readSource, test, source, query, other, text, notes, touch, touchQuery } = calls
  const { evidence, interrupts, states, facts, marks, calls: conditions } = definition
  const chosen: readonly WorldCall[] = [
    ...[read, test],
    ...(JSON.stringify(states).includes('max_files_per_state') ? [source, other] : []),
    ...(evidence === undefined ? [] : [source, touch]),
    ...(facts === undefined ? [] : [readSource, source, text, touch]),
    ...(interrupts === undefined ? [] : [source, query, notes, touch, touchQuery]),
    ...(interrupts === undefined ? [] : Object.values(redirects)),
    // Its tests count, and a mark on the plain command does not see them.
    ...(evidence === undefined || marks === undefined ? [] : [redirects.query]),
    ...(interrupts === undefined || conditions === undefined ? [] : Object.values(writes)),
  ]
  return [...new Set(chosen)]
}

export type WorldCall =
  | (typeof calls)[keyof typeof calls]
  | (typeof redirects)[keyof typeof redirects]
  | (typeof writes)[keyof typeof writes]

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
      ...(definition.evidence === undefined ? [] : [{ evidence: 't' }]),
      ...(definition.facts === undefined ? [] : [{ fact: 'r' }, { fact: 'r' }]),
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
