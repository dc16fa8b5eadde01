import { invariant } from '../base/invariant.ts'
import { type Json, type JsonObject, jsonEqual } from '../base/json.ts'
import { isUnfinished, topFrame } from '../run/lanes.ts'
import type {
  BranchSnapshot,
  BranchStatus,
  EvidenceRecord,
  ForkSnapshot,
  Frame,
} from '../run/snapshot.ts'
import { withdrawApproval } from './close-approval.ts'
import { firstFitting } from './data.ts'
import { type Draft, record } from './draft.ts'
import type { WentBack } from './pop-child.ts'
import { replaceTop } from './put-lane.ts'

/** Gives a branch its end; in sequential work the next one begins. */
export function markBranch(draft: Draft, name: string, status: BranchStatus): void {
  withdrawApproval(draft, name)
  const fork = draft.run.fork
  invariant(fork !== null, 'a branch belongs to a fork')
  let state = ''
  const marked = fork.branches.map((branch) => {
    if (branch.name !== name) return branch
    state = topFrame(branch.lane).state
    return { ...branch, status }
  })
  draft.run = { ...draft.run, fork: { ...fork, branches: withNextRunning(marked) } }
  record(draft, { type: 'branch_ended', status, state }, name)
}

function withNextRunning(branches: readonly BranchSnapshot[]): readonly BranchSnapshot[] {
  const next = branches.findIndex(isUnfinished)
  return branches.map((branch, index) =>
    index === next && branch.status === 'pending' ? { ...branch, status: 'running' } : branch,
  )
}

/** Whether the fork is over: `all` needs every branch, `any` the first that completes (WF-24). */
export function joinResult(fork: ForkSnapshot | null): 'succeeded' | 'failed' | null {
  invariant(fork !== null, 'a join belongs to a fork')
  const { branches, join } = fork
  const completed = branches.filter((branch) => branch.status === 'completed').length
  const failed = branches.filter((branch) => branch.status === 'failed').length
  if (join === 'all') {
    if (failed > 0) return 'failed'
    return completed === branches.length ? 'succeeded' : null
  }
  if (completed > 0) return 'succeeded'
  return failed === branches.length ? 'failed' : null
}

/** Ends the fork: the rest is cancelled and the branches' contexts come back to the parent. */
export function collapseFork(draft: Draft, succeeded: boolean): WentBack {
  for (const branch of draft.run.fork?.branches ?? []) {
    if (isUnfinished(branch)) markBranch(draft, branch.name, 'cancelled')
  }
  const fork = draft.run.fork
  invariant(fork !== null, 'a join belongs to a fork')
  const parent = topFrame(draft.run.main)
  const completed = fork.branches.filter((branch) => branch.status === 'completed')
  draft.run = {
    ...draft.run,
    fork: null,
    lastBranches: completed.map((branch) => branch.name),
  }
  replaceTop(draft, null, { ...parent, evidence: mergedEvidence(parent, fork.branches) })
  const target = succeeded ? fork.onComplete : fork.onFail
  record(draft, { type: 'joined', to: target, succeeded })
  const context = firstFitting(draft, null, [
    () => mergedContext(parent.context, fork.branches, isCopied),
    () => mergedContext(parent.context, fork.branches, () => false),
    () => parent.context,
  ])
  return { target, context }
}

/** What an earlier fork left in the context would double with every fork inside a loop. */
function isCopied(key: string): boolean {
  return key !== 'branches'
}

function mergedContext(
  before: JsonObject,
  branches: readonly BranchSnapshot[],
  keeps: (key: string) => boolean,
): JsonObject {
  const merged: Record<string, Json> = { ...before }
  const changedBy = new Map<string, Json[]>()
  for (const { status, lane } of branches) {
    if (status === 'cancelled') continue
    for (const [key, value] of Object.entries(bottomContext(lane.frames))) {
      if (Object.hasOwn(before, key) && jsonEqual(before[key], value)) continue
      changedBy.set(key, [...(changedBy.get(key) ?? []), value])
    }
  }
  for (const [key, values] of changedBy) {
    if (values.length === 1) merged[key] = values[0] ?? null
  }
  const byName: Record<string, Json> = {}
  for (const { name, status, lane } of branches) {
    const context = Object.fromEntries(
      Object.entries(bottomContext(lane.frames)).filter(([key]) => keeps(key)),
    )
    byName[name] = status === 'completed' ? context : { ...context, _status: status }
  }
  merged.branches = byName
  return merged
}

function bottomContext(frames: readonly Frame[]): JsonObject {
  return frames[0]?.context ?? {}
}

/** Of several branches that looked at the same fact, the newest look counts. */
function mergedEvidence(
  parent: Frame,
  branches: readonly BranchSnapshot[],
): Readonly<Record<string, EvidenceRecord>> {
  const merged: Record<string, EvidenceRecord> = { ...parent.evidence }
  for (const { lane } of branches) {
    for (const [name, record] of Object.entries(lane.frames[0]?.evidence ?? {})) {
      const known = Object.hasOwn(merged, name) ? merged[name] : undefined
      const touched = record.touched || (known?.callId === record.callId && known.touched)
      if (known === undefined || record.at >= known.at) merged[name] = { ...record, touched }
    }
  }
  return merged
}
