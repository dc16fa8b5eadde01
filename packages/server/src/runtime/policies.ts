import { isAbsolute, sep } from 'node:path'
import { type CompiledPolicy, compilePolicy, Policy } from '@statewright/core/internal'
import { realOf } from '../base/looks.ts'
import type { PolicyRow } from '../store/policy-store.ts'
import type { Store } from '../store/store.ts'

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

/** All policies of projects and roles, and the number of the change that made them so. */
export interface PolicySet {
  readonly epoch: number
  readonly all: readonly AttachedPolicy[]
}

/**
 * The policies of projects and roles (PO-1), kept in memory. Another node may have changed them
 * since: a decision is committed against the epoch of those that it was made with, and is made
 * again when that has moved.
 */
export class Policies {
  readonly #store: Store
  #known: PolicySet | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** As they were read last: for anyone who commits against their epoch. */
  async known(): Promise<PolicySet> {
    return this.#known ?? this.#read(await this.#store.policies.epoch())
  }

  /** As they are now: for anyone who commits nothing. */
  async current(): Promise<PolicySet> {
    const epoch = await this.#store.policies.epoch()
    return this.#known?.epoch === epoch ? this.#known : this.#read(epoch)
  }

  forget(): void {
    this.#known = undefined
  }

  /** The number was read first: a change in between only makes a commit fail that could pass. */
  async #read(epoch: number): Promise<PolicySet> {
    const set = { epoch, all: (await this.#store.policies.list()).map(attach) }
    this.#known = set
    return set
  }
}

export function policiesFor({ all }: PolicySet, scope: CallScope): readonly AttachedPolicy[] {
  return all.length === 0 ? all : all.filter((one) => holdsFor(one, scope))
}

/** What was saved has passed the checks; a row that does not parse any more must not be skipped. */
function attach(row: PolicyRow): AttachedPolicy {
  const policy = Policy.parse(JSON.parse(row.text))
  return { row, policy, compiled: compileAttached(policy, row.name) }
}

export function compileAttached(policy: Policy, name: string): CompiledPolicy {
  return compilePolicy(policy, `policy:${name}`, `policies.${name}`, 'attached')
}

/**
 * With a project it holds there, whatever its role says; without, for the role that it names, and
 * for everybody when it names none (PO-1a).
 */
export function holdsFor(
  { row, policy }: { readonly row: Pick<PolicyRow, 'project'>; readonly policy: Policy },
  { role, projects }: CallScope,
): boolean {
  const { project } = row
  if (project === null) return policy.role === undefined || policy.role === role
  return projects.some((one) => isIn(one, project))
}

function isIn(folder: string, project: string): boolean {
  if (folder === project) return true
  if (!isAbsolute(folder) || !isAbsolute(project)) return false
  const [inner, outer] = [realOf(folder), realOf(project)]
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}
