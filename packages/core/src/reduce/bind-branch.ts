import type { BranchBound } from '../run/events.ts'
import { branchOf, isUnfinished } from '../run/lanes.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record, refuse } from './draft.ts'
import { notActive } from './transition.ts'

/** Binds a caller to one branch, once: from then on that branch alone judges it (WF-25). */
export function onBranchBound(draft: Draft<BranchBound>): Step {
  const { event, run } = draft
  const idle = notActive(run)
  if (idle !== null) return refuse(draft, idle.code, idle.message)
  const branch = branchOf(run.fork, event.branch)
  if (run.fork === null || branch === undefined) {
    const known = run.fork?.branches.map((one) => one.name).join(', ') ?? 'none, no fork is open'
    const message = `There is no branch "${event.branch.slice(0, 100)}". Branches: ${known}.`
    return refuse(draft, 'unknown_branch', message)
  }
  if (branch.boundTo === event.by.id) return finish(draft, { type: 'recorded', notices: [] })
  const own = run.fork.branches.find((one) => one.boundTo === event.by.id)
  if (own !== undefined) {
    return refuse(draft, 'branch_bound', `This agent is bound to branch ${own.name} already.`)
  }
  if (branch.boundTo !== null) {
    return refuse(draft, 'branch_bound', `Branch ${branch.name} is bound to another agent.`)
  }
  if (!isUnfinished(branch)) {
    return refuse(draft, 'branch_not_done', `Branch ${branch.name} is over: ${branch.status}.`)
  }
  const branches = run.fork.branches.map((one) =>
    one === branch ? { ...one, boundTo: event.by.id, status: 'running' as const } : one,
  )
  draft.run = { ...run, fork: { ...run.fork, branches } }
  record(draft, { type: 'branch_bound', caller: event.by.id }, branch.name)
  return finish(draft, { type: 'recorded', notices: [] })
}
