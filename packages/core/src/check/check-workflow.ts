import type { Finding } from '../definition/finding.ts'
import type { WorkflowDefinition } from '../definition/workflow-schema.ts'
import { checkApprovals } from './check-approvals.ts'
import { checkCandidates } from './check-candidates.ts'
import { checkCommands } from './check-commands.ts'
import { checkDeadEnds } from './check-dead-ends.ts'
import { checkDoubts } from './check-doubts.ts'
import { checkEnvNames } from './check-env-names.ts'
import { checkEvidence } from './check-evidence.ts'
import { checkForks } from './check-forks.ts'
import { checkGuardFields } from './check-guard-fields.ts'
import { checkGuards } from './check-guards.ts'
import { checkInterrupts } from './check-interrupts.ts'
import { checkInvokes } from './check-invokes.ts'
import { checkMeta } from './check-meta.ts'
import { checkPatterns } from './check-patterns.ts'
import { checkPolicy } from './check-policy.ts'
import { checkReach } from './check-reach.ts'
import { checkReturns } from './check-returns.ts'
import { checkStates } from './check-states.ts'
import { checkTargets } from './check-targets.ts'
import { checkTools } from './check-tools.ts'
import { type CheckFacts, type Scene, sceneOf } from './scene.ts'

const checks: readonly ((scene: Scene) => Finding[])[] = [
  checkTargets,
  checkStates,
  checkReach,
  checkReturns,
  checkInterrupts,
  checkForks,
  checkInvokes,
  checkGuards,
  checkGuardFields,
  checkDeadEnds,
  checkEvidence,
  checkCandidates,
  checkApprovals,
  checkPatterns,
  checkEnvNames,
  checkCommands,
  checkMeta,
  checkDoubts,
  checkTools,
]

/**
 * Looks for what a schema cannot see in a parsed workflow (WF-3). Without `known` nothing is said
 * about invoked definitions, without `files` nothing about those of the project.
 */
export function checkWorkflow(definition: WorkflowDefinition, facts: CheckFacts = {}): Finding[] {
  const scene = sceneOf(definition, facts)
  const findings = checks.flatMap((check) => check(scene))
  return [...findings, ...checkPolicy(definition.policy, ['policy'])]
}
