import {
  checkPolicyText,
  err,
  type Finding,
  finding,
  ok,
  type Result,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { PolicyRow } from '../../store/policy-store.ts'
import type { Runtime } from '../runtime.ts'
import { invalidProblem } from './definitions.ts'

export interface PolicyRequest {
  readonly name: string
  readonly policy: unknown
  /** Attaches it to a project; without one it is attached to the role that it names. */
  readonly project?: string
}

export interface SavedPolicy {
  readonly row: PolicyRow
  readonly findings: readonly Finding[]
}

/** Saves a policy of a project or role; it holds for the very next call (PO-1). */
export async function savePolicy(
  runtime: Runtime,
  caller: Caller,
  request: PolicyRequest,
): Promise<Result<SavedPolicy, RuntimeProblem>> {
  const { name, project } = request
  if (!nameShape.test(name) || name.length > 100) {
    const message = `"${name.slice(0, 100)}" is not a valid name for a policy.`
    const next = 'use lower-case letters, digits and single hyphens.'
    return err(problem('usage', message, { where: 'name', next }))
  }
  const text = JSON.stringify(request.policy ?? null)
  const { definition, findings } = checkPolicyText(text)
  if (definition === undefined) return err(invalidProblem(findings))
  const unread = project !== undefined && definition.role !== undefined
  const row = await runtime.store.policies.save({
    name,
    project: project ?? null,
    text,
    savedBy: caller.name,
    savedAt: runtime.clock.now(),
  })
  runtime.policies.forget()
  return ok({ row, findings: unread ? [...findings, roleNotRead] : findings })
}

const roleNotRead = finding(
  'role_not_read',
  ['role'],
  'This applies to every role: a policy of a project ignores "role".',
)

const nameShape = /^[a-z0-9]+(-[a-z0-9]+)*$/

export async function removePolicy(
  runtime: Runtime,
  caller: Caller,
  name: string,
): Promise<boolean> {
  const by = { savedBy: caller.name, savedAt: runtime.clock.now() }
  const removed = await runtime.store.policies.remove(name, by)
  runtime.policies.forget()
  return removed
}
