import { nearestNames } from '../base/nearest.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Program } from '../machine/machine.ts'
import type { Claim, Moment, NeverClaim, Proof } from './claim.ts'
import type { StateRef } from './passage.ts'

/** A claim whose names are known to be there. */
export type CompiledClaim = CompiledNever | CompiledReach

export interface CompiledNever {
  readonly kind: 'never'
  readonly enter: StateRef | null
  readonly call: { readonly tool: string; readonly input: unknown } | null
  readonly unless: readonly CompiledProof[]
  readonly in: readonly StateRef[] | null
  readonly from: CompiledMoment | null
  readonly to: CompiledMoment | null
}

export interface CompiledReach {
  readonly kind: 'reach'
  /** Empty: any end of the run. */
  readonly states: readonly StateRef[]
}

export type CompiledProof =
  | { readonly kind: 'evidence'; readonly name: string }
  | { readonly kind: 'approval'; readonly event: string | null }
  | { readonly kind: 'visited'; readonly state: StateRef }
  | { readonly kind: 'fact'; readonly name: string }

export type CompiledMoment =
  | { readonly kind: 'enter'; readonly state: StateRef }
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'interrupt'; readonly name: string }

/** Finds what a claim names. A name that is nowhere is a mistake: it would be proved for nothing. */
export function compileClaim(program: Program, claim: Claim): Result<CompiledClaim, string> {
  const names = new Names(program)
  const compiled: CompiledClaim =
    'can_always_reach' in claim
      ? { kind: 'reach', states: claim.can_always_reach.map((state) => names.state(state)) }
      : compileNever(names, claim)
  const [fault] = names.faults
  return fault === undefined ? ok(compiled) : err(fault)
}

function compileNever(names: Names, claim: NeverClaim): CompiledNever {
  const { never, unless, in: states, from, to } = claim
  const proofs = unless === undefined ? [] : [unless].flat()
  return {
    kind: 'never',
    enter: 'enter' in never ? names.state(never.enter) : null,
    call: 'call' in never ? { tool: never.call.tool, input: never.call.input ?? {} } : null,
    unless: proofs.map((proof) => compileProof(names, proof)),
    in: states?.map((state) => names.state(state)) ?? null,
    from: from === undefined ? null : compileMoment(names, from),
    to: to === undefined ? null : compileMoment(names, to),
  }
}

function compileProof(names: Names, proof: Proof): CompiledProof {
  if ('evidence' in proof) return { kind: 'evidence', name: names.evidence(proof.evidence) }
  if ('visited' in proof) return { kind: 'visited', state: names.state(proof.visited) }
  if ('fact' in proof) return { kind: 'fact', name: names.fact(proof.fact) }
  const { approval } = proof
  return { kind: 'approval', event: approval === true ? null : names.event(approval) }
}

function compileMoment(names: Names, moment: Moment): CompiledMoment {
  if ('enter' in moment) return { kind: 'enter', state: names.state(moment.enter) }
  if ('event' in moment) return { kind: 'event', event: names.event(moment.event) }
  return { kind: 'interrupt', name: names.interrupt(moment.interrupt) }
}

/** Names of a program, and those that were asked for in vain. */
class Names {
  readonly faults: string[] = []
  readonly #program: Program

  constructor(program: Program) {
    this.#program = program
  }

  /** A state of the definition itself, or of one that it invokes, maybe as `definition/state`. */
  state(name: string): StateRef {
    const { root, machines } = this.#program
    if (root.states.has(name)) return { machine: root.id, state: name }
    const all = [...machines.values()]
    const [found, another] = all.filter(({ states }) => states.has(name))
    if (found !== undefined && another === undefined) return { machine: found.id, state: name }
    const owner = all.find(({ id, states }) => {
      return name.startsWith(`${id}/`) && states.has(name.slice(id.length + 1))
    })
    if (owner !== undefined) return { machine: owner.id, state: name.slice(owner.id.length + 1) }
    if (found !== undefined) {
      this.faults.push(`Several definitions have a state "${name}"; write "${found.id}/${name}".`)
    } else
      this.#miss(
        'state',
        name,
        all.flatMap(({ states }) => [...states.keys()]),
      )
    return { machine: root.id, state: name }
  }

  evidence(name: string): string {
    return this.#one('piece of evidence', name, ({ evidence }) => [...evidence.keys()])
  }

  fact(name: string): string {
    return this.#one('fact', name, ({ facts }) => facts.map((fact) => fact.name))
  }

  interrupt(name: string): string {
    return this.#one('interrupt', name, ({ interrupts }) => interrupts.map((one) => one.name))
  }

  event(name: string): string {
    return this.#one('event', name, ({ states }) =>
      [...states.values()].flatMap(({ transitions }) => [...transitions.keys()]),
    )
  }

  #one(kind: string, name: string, namesOf: (machine: Program['root']) => string[]): string {
    const known = [...this.#program.machines.values()].flatMap(namesOf)
    if (!known.includes(name)) this.#miss(kind, name, known)
    return name
  }

  #miss(kind: string, name: string, known: readonly string[]): void {
    const [near] = nearestNames(name, new Set(known), 1)
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`
    this.faults.push(`There is no ${kind} "${name}".${hint}`)
  }
}
