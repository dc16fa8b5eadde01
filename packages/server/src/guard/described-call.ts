import {
  type CallNeeds,
  callNeeds,
  describeCall,
  namedRef,
  type Program,
  type ToolCall,
  type WorkspaceFacts,
} from '@statewright/core/internal'
import { type CallScope, type PolicySet, policiesFor } from '../runtime/policies.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Who reads conditions of a call: the definitions of its run, and the policies around it. */
export interface CallReaders {
  readonly program: Program | undefined
  readonly set: PolicySet
  readonly scope: CallScope
}

/**
 * A call with what the conditions that judge it want to know, secrets replaced (FC-7). An argument
 * that is left out here is unknown to them, and counts against the call.
 */
export async function describedCall(
  runtime: Runtime,
  { program, set, scope }: CallReaders,
  raw: Omit<Parameters<typeof describeCall>[0], 'needs'>,
  workspace: WorkspaceFacts,
): Promise<{ readonly call: ToolCall; readonly needs: CallNeeds }> {
  const policies = policiesFor(set, scope).map(({ compiled }) => compiled)
  const needs = callNeeds(program, policies, namedRef(raw))
  const sealing = await runtime.sealings.sealing()
  return { call: describeCall({ ...raw, needs }, { ...workspace, sealing }), needs }
}
