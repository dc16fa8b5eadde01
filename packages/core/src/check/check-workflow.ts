import type { Finding } from '../definition/finding.ts'
import type { WorkflowDefinition } from '../definition/workflow-schema.ts'
import { checkApprovals } from './check-approvals.ts'
import { checkCandidates } from './check-candidates.ts'
import { checkEnvNames } from './check-env-names.ts'
import { checkForks } from './check-forks.ts'
import { checkGuardFields } from './check-guard-fields.ts'
import { checkGuards } from './check-guards.ts'
import { checkInvokes } from './check-invokes.ts'
import { checkMeta } from './check-meta.ts'
import { checkPatterns } from './check-patterns.ts'
import { checkPolicy } from './check-policy.ts'
import { checkReach } from './check-reach.ts'
import { checkReturns } from './check-returns.ts'
import { checkStates } from './check-states.ts'
import { checkTargets } from './check-targets.ts'
import { type KnownDefinitions, type Scene, sceneOf } from './scene.ts'

const checks: readonly ((scene: Scene) => Finding[])[] = [
  checkTargets,
  checkStates,
  checkReach,
  checkReturns,
  checkForks,
  checkInvokes,
  checkGuards,
  checkGuardFields,
  checkCandidates,
  checkApprovals,
  checkPatterns,
  checkEnvNames,
  checkMeta,
]

/**
 * Looks for what a schema cannot see in a parsed workflow (WF-3). Without `known` nothing is said
 * about invoked definitions.
 */
export function checkWorkflow(
  definition: WorkflowDefinition,
  options: { readonly known?: KnownDefinitions } = {},
): Finding[] {
  const scene = sceneOf(definition, options.known)
  const findings = checks.flatMap((check) => check(scene))
  return [...findings, ...checkPolicy(definition.policy, ['policy'])]
}
