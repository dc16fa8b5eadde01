import { phrase } from '../base/text/phrase.ts'
import { noSuchBranch } from '../run/choose-lane.ts'
import type { BranchBound } from '../run/events.ts'
import { branchOf, isUnfinished } from '../run/lanes.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record, refuse } from './draft.ts'
import { notActive } from './transition.ts'

/** Binds a caller to one branch, once: from then on that branch alone judges it (WF-25). */
export function onBranchBound(draft: Draft<BranchBound>): Step {
  const { event, run } = draft
  const idle = notActive(run, draft.program)
  if (idle !== null) return refuse(draft, idle.code, idle.message)
  const branch = branchOf(run.fork, event.branch)
  if (run.fork === null || branch === undefined) {
    return refuse(draft, 'unknown_branch', noSuchBranch(run.fork, event.branch))
  }
  if (branch.boundTo === event.by.id) return finish(draft, { type: 'recorded', notices: [] })
  const own = run.fork.branches.find((one) => one.boundTo === event.by.id)
  if (own !== undefined) {
    return refuse(draft, 'branch_bound', phrase('agent_bound_already', { branch: own.name }))
  }
  if (branch.boundTo !== null) {
    return refuse(draft, 'branch_bound', phrase('branch_bound', { branch: branch.name }))
  }
  if (!isUnfinished(branch)) {
    const { name, status } = branch
    return refuse(draft, 'branch_not_done', phrase('branch_is_over', { branch: name, status }))
  }
  const branches = run.fork.branches.map((one) =>
    one === branch ? { ...one, boundTo: event.by.id, status: 'running' as const } : one,
  )
  draft.run = { ...run, fork: { ...run.fork, branches } }
  record(draft, { type: 'branch_bound', caller: event.by.id }, branch.name)
  return finish(draft, { type: 'recorded', notices: [] })
}
