import { isAbsolute, sep } from 'node:path'
import { type CompiledPolicy, compilePolicy, Policy } from '@statewright/core'
import type { PolicyRow, Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { realOf } from './workspace-facts.ts'

/** A policy that stands on its own, ready to be asked. */
export interface AttachedPolicy {
  readonly row: PolicyRow
  readonly policy: Policy
  readonly compiled: CompiledPolicy
}

/** Where a call comes from: which of the policies hold for it follows from this alone. */
export interface CallScope {
  readonly role: string
  /** Every folder or name by which the call's project is known. */
  readonly projects: readonly string[]
}

/** How long another node may go by what it has read. */
const freshMs = 1000

/**
 * The policies of projects and roles (PO-1). They are read once and kept: a change on this node
 * holds for the very next call, one on another node within a second.
 */
export class Policies {
  readonly #store: Store
  readonly #clock: Clock
  #known: { readonly at: number; readonly all: readonly AttachedPolicy[] } | undefined

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async all(): Promise<readonly AttachedPolicy[]> {
    const now = this.#clock.now()
    const known = this.#known
    // A clock that was set back must not keep what was read for ever.
    if (known !== undefined && Math.abs(now - known.at) < freshMs) return known.all
    const all = (await this.#store.policies.list()).map(attach)
    this.#known = { at: now, all }
    return all
  }

  async heldFor(scope: CallScope): Promise<readonly AttachedPolicy[]> {
    const all = await this.all()
    return all.length === 0 ? all : all.filter((one) => holds(one, scope))
  }

  forget(): void {
    this.#known = undefined
  }
}

/** What was saved has passed the checks; a row that does not parse any more must not be skipped. */
export function attach(row: PolicyRow): AttachedPolicy {
  const policy = Policy.parse(JSON.parse(row.text))
  const compiled = compilePolicy(policy, `policy:${row.name}`, `policies.${row.name}`)
  return { row, policy, compiled }
}

/**
 * With a project it holds there, whatever its role says; without, for the role that it names, and
 * for everybody when it names none (PO-1a).
 */
function holds({ row, policy }: AttachedPolicy, { role, projects }: CallScope): boolean {
  const { project } = row
  if (project === null) return policy.role === undefined || policy.role === role
  return projects.some((one) => isIn(one, project))
}

function isIn(place: string, project: string): boolean {
  if (place === project) return true
  if (!isAbsolute(place) || !isAbsolute(project)) return false
  const [inner, outer] = [realOf(place), realOf(project)]
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}
