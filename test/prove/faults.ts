import type { Claim, JsonObject } from '@statewright/core/internal'

/** A definition with one thing wrong, and the claim that speaks of it. */
export interface Fault {
  readonly kind: string
  readonly name: string
  readonly definition: JsonObject
  readonly claim?: Claim
}

type Mutable = Record<string, never>
interface Spot {
  readonly state: string
  readonly event: string
}

/** Every fault of these kinds that fits into a definition. */
export function faultsOf(definition: JsonObject): Fault[] {
  if (definition.states === undefined || definition.id === undefined) return []
  return [
    ...droppedGuards(definition),
    ...bypassedApprovals(definition),
    ...traps(definition),
    ...forks(definition),
    ...interrupts(definition),
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

function spots(definition: JsonObject): (Spot & { readonly transition: JsonObject })[] {
  return Object.entries(objectOf(definition.states)).flatMap(([state, body]) =>
    Object.entries(objectOf(objectOf(body).on)).map(([event, transition]) => ({
      state,
      event,
      transition: objectOf(transition),
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

/** A guard on evidence is gone: what it led to can be entered without. */
function droppedGuards(definition: JsonObject): Fault[] {
  const guards = objectOf(definition.guards)
  return spots(definition).flatMap((spot): Fault[] => {
    const { guard, target } = spot.transition
    const { evidence } = objectOf(guards[String(guard)])
    if (typeof evidence !== 'string' || typeof target !== 'string' || target === '$return')
      return []
    const { guard: _, ...rest } = spot.transition
    const claim: Claim = { never: { enter: target }, unless: { evidence }, in: [spot.state] }
    return [
      {
        kind: 'dropped guard',
        name: `${spot.state}.${spot.event} has lost ${guard}`,
        definition: setTransition(definition, spot, rest),
        claim,
      },
    ]
  })
}

/** Any other event leads where an approval was to be needed. */
function bypassedApprovals(definition: JsonObject): Fault[] {
  return spots(definition).flatMap((spot): Fault[] => {
    const { requires_approval: asks, target } = spot.transition
    if (asks !== true || typeof target !== 'string' || target === '$return') return []
    const bypassed = copyOf(definition, (copy) => {
      Object.assign(objectOf(objectOf(copy.states)[spot.state]), { safe_next: target })
    })
    const { requires_approval: _, ...rest } = spot.transition
    return [
      { kind: 'approval bypassed', name: `${spot.state} by safe_next`, definition: bypassed },
      {
        kind: 'approval bypassed',
        name: `${spot.state} by another event`,
        definition: setTransition(definition, { state: spot.state, event: 'HURRY' }, target),
        claim: { never: { enter: target }, unless: { approval: true }, in: [spot.state] },
      },
      {
        kind: 'approval bypassed',
        name: `${spot.state}.${spot.event} does not ask`,
        definition: setTransition(definition, spot, rest),
        claim: { never: { enter: target }, unless: { approval: true }, in: [spot.state] },
      },
    ]
  })
}

/** A state that leads nowhere but to itself, and an event that leads there. */
function traps(definition: JsonObject): Fault[] {
  return spots(definition).flatMap((spot): Fault[] => {
    if (spot.transition.fork !== undefined || spot.transition.invoke !== undefined) return []
    const trapped = copyOf(
      setTransition(definition, { ...spot, event: 'STRAY' }, 'trap'),
      (copy) => {
        Object.assign(objectOf(copy.states), {
          trap: { allowed_tools: ['Read'], on: { STAY: 'trap' } },
        })
      },
    )
    return [{ kind: 'trap', name: `from ${spot.state} beside ${spot.event}`, definition: trapped }]
  })
}

/** A branch whose terminal nothing leads to. */
function forks(definition: JsonObject): Fault[] {
  return spots(definition).flatMap((spot): Fault[] => {
    const fork = objectOf(spot.transition.fork)
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
    return ['**', '**/*'].map((pattern) => ({
      kind: 'hidden interrupt',
      name: `${name} behind ${pattern}`,
      definition: copyOf(definition, (copy) => {
        const first = { trigger: { file_pattern: pattern, shell: true }, target }
        Object.assign(copy, { interrupts: { first, ...known } })
      }),
    }))
  })
}

/** One more event, from any state straight to the end. */
function edges(definition: JsonObject): Fault[] {
  const ends = finals(definition)
  const states = Object.keys(objectOf(definition.states)).filter((name) => !ends.includes(name))
  return states.flatMap((state) =>
    ends.map((end) => ({
      kind: 'edge too many',
      name: `${state} to ${end}`,
      definition: setTransition(definition, { state, event: 'SKIP' }, end),
      claim: { never: { enter: end }, in: [state] },
    })),
  )
}
