import { nearestNames } from '../base/nearest.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Program } from '../machine/machine.ts'
import type { Claim, Moment, Proof } from './claim.ts'
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

/** Finds what a claim names. A claim about a name that is nowhere would be proved for nothing. */
export function compileClaim(program: Program, claim: Claim): Result<CompiledClaim, string> {
  const names = new Names(program)
  const { can_always_reach: states } = claim
  const compiled: CompiledClaim =
    states === undefined
      ? compileNever(names, claim)
      : { kind: 'reach', states: states.map((state) => names.state(state)) }
  const [fault] = names.faults
  return fault === undefined ? ok(compiled) : err(fault)
}

function compileNever(names: Names, claim: Claim): CompiledNever {
  const { never = {}, unless, in: states, from, to } = claim
  const { enter, call } = never
  const proofs = unless === undefined ? [] : [unless].flat()
  const phrases = [never, ...proofs, ...(from ? [from] : []), ...(to ? [to] : [])]
  if (phrases.some((one) => Object.keys(one).length === 0)) {
    names.faults.push('A claim has an empty "never", "unless", "from" or "to".')
  }
  return {
    kind: 'never',
    enter: enter === undefined ? null : names.state(enter),
    call: call === undefined ? null : { tool: call.tool, input: call.input ?? {} },
    unless: proofs.map((proof) => compileProof(names, proof)),
    in: states?.map((state) => names.state(state)) ?? null,
    from: from === undefined ? null : compileMoment(names, from),
    to: to === undefined ? null : compileMoment(names, to),
  }
}

function compileProof(names: Names, { evidence, visited, fact, approval }: Proof): CompiledProof {
  if (evidence !== undefined) return { kind: 'evidence', name: names.evidence(evidence) }
  if (visited !== undefined) return { kind: 'visited', state: names.state(visited) }
  if (fact !== undefined) return { kind: 'fact', name: names.fact(fact) }
  const isThis = approval === undefined || approval === true
  return { kind: 'approval', event: isThis ? null : names.event(approval) }
}

function compileMoment(names: Names, { enter, event, interrupt }: Moment): CompiledMoment {
  if (enter !== undefined) return { kind: 'enter', state: names.state(enter) }
  if (event !== undefined) return { kind: 'event', event: names.event(event) }
  return { kind: 'interrupt', name: names.interrupt(interrupt ?? '') }
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
