import { nearestNames } from '../base/nearest.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import { metaFields, type WorkflowDefinition } from '../definition/workflow-schema.ts'
import { checkApprovals } from './check-approvals.ts'
import { checkCommands } from './check-commands.ts'
import { checkConditions } from './check-conditions.ts'
import { type CheckContext, type CheckFacts, checkContextOf } from './check-context.ts'
import { checkDeadEnds } from './check-dead-ends.ts'
import { checkDoubts } from './check-doubts.ts'
import { checkEvidence } from './check-evidence.ts'
import { checkForks } from './check-forks.ts'
import { checkGuardFields } from './check-guard-fields.ts'
import { checkGuards } from './check-guards.ts'
import { checkInterrupts } from './check-interrupts.ts'
import { checkPatterns } from './check-patterns.ts'
import { checkPolicy } from './check-policy.ts'
import { checkReach } from './check-reach.ts'
import { checkReturns } from './check-returns.ts'
import { checkTargets } from './check-targets.ts'
import { checkTools } from './check-tools.ts'
import { hasGuards } from './transition-graph.ts'

const checks: readonly ((check: CheckContext) => Finding[])[] = [
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
  checkConditions,
]

/**
 * Looks for what a schema cannot see in a parsed workflow (WF-3). Without `known` nothing is said
 * about invoked definitions, without `files` nothing about those of the project.
 */
export function checkWorkflow(definition: WorkflowDefinition, facts: CheckFacts = {}): Finding[] {
  const context = checkContextOf(definition, facts)
  const findings = checks.flatMap((check) => check(context))
  return [...findings, ...checkPolicy(definition.policy, ['policy'])]
}

/** Candidates that can never be taken, because one before them always passes (WF-3, WF-19). */
function checkCandidates({ graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      if (!Array.isArray(transition)) continue
      const first = transition.findIndex((candidate) => !hasGuards(candidate))
      if (first < 0) continue
      for (let index = first + 1; index < transition.length; index++) {
        const message = `Candidate ${first + 1} has no guard, so this one is never tried.`
        const path = ['states', name, 'on', event, index]
        findings.push(finding('candidate_after_default', path, message))
      }
    }
  }
  return findings
}

/** What no environment variable can be called; a person who writes it means a pattern. */
const notInNames = /[*?$=\s]/

/**
 * `blocked_env: ['*_TOKEN']` would block a variable of just that name, that is nothing: a
 * restriction that vanishes (WF-2, SH-9).
 */
function checkEnvNames({ graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    const blocked = state.blocked_env ?? state.deny_env ?? []
    const list = state.blocked_env === undefined ? 'deny_env' : 'blocked_env'
    for (const [index, variable] of blocked.entries()) {
      if (!notInNames.test(variable)) continue
      const message = `${quote(variable)} is not a variable name. Patterns are not supported here.`
      findings.push(finding('invalid_env_name', ['states', name, list, index], message))
    }
  }
  return findings
}

/** Invoked definitions that are not known. They may come later, so this only warns. */
function checkInvokes({ definition, graph, known }: CheckContext): Finding[] {
  if (known === undefined) return []
  return graph.invokes
    .filter(({ invoke }) => invoke !== definition.id && known(invoke) === undefined)
    .map(({ invoke, path }) => {
      const message = `No workflow or process ${quote(invoke)} is known. A run needs it to start.`
      return finding('unknown_workflow', [...path, 'invoke'], message)
    })
}

const knownNames = Object.keys(metaFields)

/** `meta` is open, so that `lockd` would pass as a note instead of locking the run (WF-3). */
function checkMeta({ definition }: CheckContext): Finding[] {
  return Object.keys(definition.meta ?? {}).flatMap((name) => {
    if (knownNames.includes(name)) return []
    const [near] = nearestNames(name, knownNames, 1)
    if (near === undefined) return []
    const message = `Statewright does not know ${quote(name)}. Did you mean ${quote(near)}?`
    return [finding('meta_near_miss', ['meta', name], message)]
  })
}

/** Fields that contradict the kind of state they stand in. */
function checkStates({ graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    const path = ['states', name]
    if (state.type !== 'final') {
      if (state.outcome === undefined) continue
      const message =
        'Only a final state has an outcome. Add "type": "final", or remove the outcome.'
      findings.push(finding('outcome_not_final', [...path, 'outcome'], message))
      continue
    }
    const message = 'A final state ends the run; nothing can lead on from it.'
    if (Object.keys(state.on ?? {}).length > 0) {
      findings.push(finding('final_with_transitions', [...path, 'on'], message))
    }
    if (state.safe_next !== undefined) {
      findings.push(finding('final_with_transitions', [...path, 'safe_next'], message))
    }
  }
  return findings
}
