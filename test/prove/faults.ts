import type { Claim, JsonObject } from '@statewright/core/internal'

/** A definition with one thing wrong, and the claim that speaks of it. */
export interface Fault {
  readonly kind:
    | 'approval bypassed'
    | 'dropped guard'
    | 'edge too many'
    | 'fork that cannot join'
    | 'hidden interrupt'
    | 'trap'
  readonly name: string
  readonly definition: JsonObject
  readonly claim?: Claim
}

type Mutable = Record<string, never>
interface Spot {
  readonly state: string
  readonly event: string
}

/** A transition with one candidate, which is where a fault can be seeded by itself. */
interface Seedable extends Spot {
  readonly transition: JsonObject
  readonly target: string
}

/** Every fault of these kinds that fits into a definition. */
export function faultsOf(definition: JsonObject): Fault[] {
  if (definition.states === undefined || definition.id === undefined) return []
  return [
    ...droppedGuards(definition),
    ...bypassedApprovals(definition),
    ...traps(definition),
    ...forks(definition),
    ...addedForks(definition),
    ...addedApprovals(definition),
    ...interrupts(definition),
    ...addedInterrupts(definition),
    ...edges(definition),
  ]
}

function objectOf(value: unknown): JsonObject {
  // Whatever is no object has nothing that is looked at here.
  return (typeof value === 'object' && value !== null ? value : {}) as JsonObject
}

function copyOf(definition: JsonObject, change: (copy: Mutable) => void): JsonObject {
  const copy = structuredClone(definition)
  change(copy as unknown as Mutable) // It is ours alone.
  return copy
}

function spots(
  definition: JsonObject,
): (Spot & { readonly transition: JsonObject; readonly written: unknown })[] {
  return Object.entries(objectOf(definition.states)).flatMap(([state, body]) =>
    Object.entries(objectOf(objectOf(body).on)).map(([event, transition]) => ({
      state,
      event,
      transition: objectOf(transition),
      written: transition,
    })),
  )
}

function setTransition(definition: JsonObject, { state, event }: Spot, value: unknown): JsonObject {
  return copyOf(definition, (copy) => {
    const on = objectOf(objectOf(objectOf(copy.states)[state]).on)
    Object.assign(on, { [event]: value })
  })
}

function finals(definition: JsonObject): string[] {
  const states = Object.entries(objectOf(definition.states))
  return states.filter(([, body]) => objectOf(body).type === 'final').map(([name]) => name)
}

function seedables(definition: JsonObject): Seedable[] {
  return spots(definition).flatMap(({ state, event, transition, written }) => {
    const target = typeof written === 'string' ? written : transition.target
    if (typeof target !== 'string' || target === '$return') return []
    return [{ state, event, transition: { ...transition, target }, target }]
  })
}

/** The ways from a state to another, as they are written; a join or a child may lead to any. */
function leadsTo(definition: JsonObject, state: string, target: string): string[] {
  const { safe_next: safe } = objectOf(objectOf(definition.states)[state])
  const byEvent = spots(definition).flatMap((spot) => {
    const { fork, invoke, on_complete, on_fail } = spot.transition
    const { on_complete: joined, on_fail: failed } = objectOf(fork)
    const isLate = fork !== undefined || invoke !== undefined
    if (isLate) return [on_complete, on_fail, joined, failed].includes(target) ? [spot.event] : []
    if (spot.state !== state) return []
    const candidates = Array.isArray(spot.written) ? spot.written : [spot.written]
    const targets = candidates.map((one) => (typeof one === 'string' ? one : objectOf(one).target))
    return targets.includes(target) || targets.includes('$return') ? [spot.event] : []
  })
  return [...byEvent, ...(safe === target ? ['safe_next'] : [])]
}

function isOnlyWay(definition: JsonObject, { state, event, target }: Seedable): boolean {
  const ways = leadsTo(definition, state, target)
  return ways.length === 1 && ways[0] === event
}

/** A guard on evidence is gone: what it led to can be entered without. */
function droppedGuards(definition: JsonObject): Fault[] {
  const guards = objectOf(definition.guards)
  return seedables(definition).flatMap((spot): Fault[] => {
    const { guard, ...rest } = spot.transition
    const { evidence } = objectOf(guards[String(guard)])
    if (typeof evidence !== 'string') return []
    const { state, event, target } = spot
    if (!isOnlyWay(definition, spot)) return []
    const claim: Claim = { never: { enter: target }, unless: { evidence }, in: [state] }
    const weak = copyOf(setTransition(definition, spot, { ...rest, guard: 'weak' }), (copy) => {
      const known = { weak: { field: 'tests_passed', op: 'eq', value: true } }
      Object.assign(copy, { guards: { ...guards, ...known } })
    })
    return [
      {
        name: `${state}.${event} has lost ${guard}`,
        definition: setTransition(definition, spot, rest),
      },
      { name: `${state}.${event} takes the agent's word for ${guard}`, definition: weak },
      {
        name: `${state}.${event} may go on without ${guard}`,
        definition: setTransition(definition, spot, [spot.transition, rest]),
      },
      {
        name: `${state} has another event without ${guard}`,
        definition: setTransition(definition, { state, event: 'ANYWAY' }, rest),
      },
    ].map((one) => ({ kind: 'dropped guard', ...one, claim }))
  })
}

/** Any other event leads where an approval was to be needed. */
function bypassedApprovals(definition: JsonObject): Fault[] {
  return seedables(definition).flatMap((spot): Fault[] => {
    const { requires_approval: asks, ...rest } = spot.transition
    // Where nobody waits for it an approval is advice: there is nothing to bypass.
    if (asks !== true || objectOf(definition.meta).approval_mode !== 'ui') return []
    const { state, event, target } = spot
    if (!isOnlyWay(definition, spot)) return []
    const claim: Claim = { never: { enter: target }, unless: { approval: true }, in: [state] }
    const kind = 'approval bypassed' as const
    return [
      { kind, name: `${state} by safe_next`, definition: withSafeNext(definition, state, target) },
      {
        kind,
        name: `${state} by another event`,
        definition: setTransition(definition, { state, event: 'HURRY' }, target),
      },
      ...[
        { name: `${state}.${event} does not ask`, value: rest },
        { name: `${state}.${event} asks only if that fails`, value: [rest, spot.transition] },
      ].map(({ name, value }) => {
        return { kind, name, definition: setTransition(definition, spot, value), claim }
      }),
    ]
  })
}

function withSafeNext(definition: JsonObject, state: string, target: string): JsonObject {
  return copyOf(definition, (copy) => {
    Object.assign(objectOf(objectOf(copy.states)[state]), { safe_next: target })
  })
}

/** Out of a branch leads BRANCH_FAIL, wherever it stands: there is no trap in it. */
function outside(definition: JsonObject): Seedable[] {
  const starts = spots(definition).flatMap(({ transition }) =>
    Object.values(objectOf(objectOf(transition.fork).branches)).map((one) => objectOf(one).initial),
  )
  return seedables(definition).filter(({ state }) => !starts.includes(state))
}

const cell = { allowed_tools: ['Read'], on: { STAY: 'trap' } }

/** States that lead nowhere but to themselves, and an event that leads there. */
function traps(definition: JsonObject): Fault[] {
  const ways = outside(definition).flatMap(({ state, event, transition }) => {
    const stray = setTransition(definition, { state, event: 'STRAY' }, 'trap')
    const turned = setTransition(definition, { state, event }, { ...transition, target: 'trap' })
    const pair = { trap: { on: { NEXT: 'other' } }, other: { on: { BACK: 'trap' } } }
    return [
      { name: `from ${state} beside ${event}`, made: stray, states: { trap: cell } },
      { name: `from ${state} beside ${event}, two of them`, made: stray, states: pair },
      { name: `from ${state} by ${event}`, made: turned, states: { trap: cell } },
    ]
  })
  return ways.map(({ name, made, states }) => ({
    kind: 'trap',
    name,
    definition: copyOf(made, (copy) => Object.assign(objectOf(copy.states), states)),
  }))
}

/** A branch whose terminal nothing leads to. */
function forks(definition: JsonObject): Fault[] {
  return spots(definition).flatMap((spot): Fault[] => {
    const fork = objectOf(spot.transition.fork)
    // Where one branch is enough another may do it.
    if (fork.join === 'any') return []
    return Object.keys(objectOf(fork.branches)).map((branch) => ({
      kind: 'fork that cannot join',
      name: `${spot.state}.${spot.event} ${branch}`,
      definition: copyOf(definition, (copy) => {
        Object.assign(objectOf(copy.states), { never_reached: { type: 'final' } })
        const on = objectOf(objectOf(objectOf(copy.states)[spot.state]).on)
        const found = objectOf(objectOf(objectOf(objectOf(on[spot.event]).fork).branches)[branch])
        const start = String(found.initial)
        Object.assign(found, { terminal: 'never_reached' })
        // Where it begins, nothing may finish it for free either.
        const first = objectOf(objectOf(copy.states)[start])
        Object.assign(first, { on: { ...objectOf(first.on), LOOP: start } })
      }),
    }))
  })
}

/** An interrupt before the others that takes all their files. */
function interrupts(definition: JsonObject): Fault[] {
  const known = objectOf(definition.interrupts)
  return Object.entries(known).flatMap(([name, interrupt]) => {
    const { target } = objectOf(interrupt)
    const { file_pattern: own, tool, when } = objectOf(objectOf(interrupt).trigger)
    // What fires by other things than files is not hidden by them.
    if (typeof own !== 'string' || tool !== undefined || when !== undefined) return []
    const patterns = ['**', '**/*', '{*,**/*}', own]
    return patterns.map((pattern) => ({
      kind: 'hidden interrupt',
      name: `${name} behind ${pattern}`,
      definition: copyOf(definition, (copy) => {
        const first = { trigger: { file_pattern: pattern, shell: true }, target }
        Object.assign(copy, { interrupts: { first, ...known } })
      }),
    }))
  })
}

/** One more way, from any state straight to another that it did not lead to. */
function edges(definition: JsonObject): Fault[] {
  const ends = finals(definition)
  const all = Object.keys(objectOf(definition.states))
  return all
    .filter((name) => !ends.includes(name))
    .flatMap((state) =>
      ends.flatMap((end): Fault[] => {
        if (leadsTo(definition, state, end).length > 0) return []
        const claim: Claim = { never: { enter: end }, in: [state] }
        const event = setTransition(definition, { state, event: 'SKIP' }, end)
        const kind = 'edge too many'
        return [
          { kind, name: `${state} to ${end}`, definition: event, claim },
          {
            kind,
            name: `${state} to ${end} by safe_next`,
            definition: withSafeNext(definition, state, end),
            claim,
          },
        ]
      }),
    )
}

function liveStates(definition: JsonObject): string[] {
  const ends = finals(definition)
  return Object.keys(objectOf(definition.states)).filter((name) => !ends.includes(name))
}

/** A fork from any state, one of whose branches never ends. */
function addedForks(definition: JsonObject): Fault[] {
  return liveStates(definition).map((state) => {
    const branches = {
      one: { initial: 'split_done', terminal: 'split_done' },
      two: { initial: 'trap', terminal: 'split_done' },
    }
    const fork = { fork: { branches, join: 'all', on_complete: state, on_fail: state } }
    return {
      kind: 'fork that cannot join',
      name: `from ${state}`,
      definition: copyOf(setTransition(definition, { state, event: 'SPLIT' }, fork), (copy) => {
        Object.assign(objectOf(copy.states), { trap: cell, split_done: { type: 'final' } })
      }),
    }
  })
}

/** An approval that somebody added, and `safe_next` or another event that leads round it. */
function addedApprovals(definition: JsonObject): Fault[] {
  return seedables(definition).flatMap((spot) => {
    if (spot.transition.requires_approval === true) return []
    const { state, event, target } = spot
    const asks = setTransition(definition, spot, { ...spot.transition, requires_approval: true })
    const meta = { ...objectOf(definition.meta), approval_mode: 'ui' }
    return [
      {
        kind: 'approval bypassed',
        name: `${state}.${event} asks, safe_next does not`,
        definition: { ...withSafeNext(asks, state, target), meta },
      },
      {
        kind: 'approval bypassed',
        name: `${state}.${event} asks, another event does not`,
        definition: { ...setTransition(asks, { state, event: 'HURRY' }, target), meta },
      },
    ]
  })
}

/** Two detours to any state, the second of which is for files of the first. */
function addedInterrupts(definition: JsonObject): Fault[] {
  const known = objectOf(definition.interrupts)
  const pairs = [
    ['src/**', 'src/**/*.{ts,tsx}'],
    ['**/*.sql', 'db/**/*.sql'],
  ]
  return liveStates(definition).flatMap((target) =>
    pairs.map(([wide = '', narrow = '']) => {
      const all = { trigger: { file_pattern: wide, shell: true }, target }
      const some = { trigger: { file_pattern: narrow }, target }
      return {
        kind: 'hidden interrupt' as const,
        name: `to ${target} for ${narrow}`,
        definition: { ...definition, interrupts: { all, some, ...known } },
      }
    }),
  )
}
