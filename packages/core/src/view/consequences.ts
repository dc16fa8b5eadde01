import { unreachable } from '../base/invariant.ts'
import { limits } from '../base/limits.ts'
import { isBoundToFiles } from '../decide/judge-asks.ts'
import type { Program } from '../machine/machine.ts'
import { reduceRun } from '../reduce/reduce-run.ts'
import { type LaneName, laneOf, topFrame } from '../run/lanes.ts'
import {
  type AskRecord,
  hasEnded,
  type PendingApproval,
  type RunSnapshot,
} from '../run/snapshot.ts'

/** What each answer to a question would bring, in sentences for the person who is asked. */
export interface Consequences {
  readonly ifApproved: string
  readonly ifRejected: string
  /** Only where the question expires. */
  readonly ifExpired?: string
  /** Only where "always" is an answer. */
  readonly ifAlways?: string
}

/**
 * Reads what would follow from where the run stands now. What a rejection does is not told from the
 * kind of the question but tried: the reducer is asked, and its answer is described.
 */
export function consequences(
  program: Program,
  run: RunSnapshot,
  approvalId: string,
): Consequences | undefined {
  const ask = run.asks.find(({ id, status }) => id === approvalId && status === 'waiting')
  if (ask !== undefined) return ofAsk(run, ask)
  const waiting = waitingIn(run, approvalId)
  if (waiting === undefined) return undefined
  const { lane, approval } = waiting
  const rejected = `${afterRejection(program, run, lane, approval)} The agent reads your reason.`
  return {
    ifApproved: afterApproval(lane, approval),
    ifRejected: rejected,
    ...(approval.expiresAt === null
      ? {}
      : {
          ifExpired: `It is treated as rejected. ${afterRejection(program, run, lane, approval)}`,
        }),
  }
}

function ofAsk(run: RunSnapshot, { tool, place, argsHash }: AskRecord): Consequences {
  const minutes = limits.approvalUseMs / 60_000
  const state = place?.slice(place.indexOf('/') + 1)
  const where = state === undefined ? '' : ` in the state ${state}`
  const stands = topFrame(run.main).state
  return {
    ifApproved:
      `The agent may call ${tool} once${where}, with exactly these arguments, ` +
      `within ${minutes} minutes.${isBoundToFiles(argsHash) ? boundToFiles : ''}`,
    ifRejected:
      'This call is denied with your reason, at once where it still waits, and every time the ' +
      `agent repeats it in this run. The run stays in ${stands}; other calls are not affected.`,
    ifExpired: `The call is denied, and the run stays in ${stands}. The agent may ask again.`,
    ifAlways:
      'Every call that the same rule asks about passes for the rest of this run, without a ' +
      'question.',
  }
}

const boundToFiles =
  ' If a file that the command names changes before then, you are asked again. Of folders ' +
  'and patterns up to 500 files are checked, but not the project folder as a whole, and not ' +
  'what those files start in turn.'

interface Waiting {
  readonly lane: LaneName
  readonly approval: PendingApproval
}

function waitingIn(run: RunSnapshot, approvalId: string): Waiting | undefined {
  const lanes: readonly LaneName[] = [null, ...(run.fork?.branches.map(({ name }) => name) ?? [])]
  for (const lane of lanes) {
    const { approval } = laneOf(run, lane)
    if (approval?.id === approvalId) return { lane, approval }
  }
  return undefined
}

function afterApproval(lane: LaneName, { kind, event, from, to, data }: PendingApproval): string {
  const who = nameOf(lane)
  switch (kind) {
    case 'transition': {
      const names = Object.keys(data)
      const written = names.length === 0 ? '' : `, and these fields are set: ${names.join(', ')}`
      return `${who} moves from ${from} to ${to ?? 'its end'} by ${event}${written}.`
    }
    case 'checkpoint': {
      const next = to === null ? 'the process is completed' : `the process continues with ${to}`
      return `The answer "${event}" to ${from} is accepted, and ${next}.`
    }
    default:
      return unreachable(kind)
  }
}

function afterRejection(
  program: Program,
  run: RunSnapshot,
  lane: LaneName,
  { id, kind, event, from, openedAt }: PendingApproval,
): string {
  const { run: after } = reduceRun(program, run, {
    type: 'approval_resolved',
    at: openedAt,
    by: { kind: 'person', id: '' },
    approvalId: id,
    verdict: 'reject',
  })
  const what =
    kind === 'checkpoint' ? `The answer "${event}" is not accepted` : `${event} is refused`
  if (after.status === 'blocked') {
    return (
      `${what}, and the run ends as blocked: every call of its agent is denied until a person ` +
      'starts another run.'
    )
  }
  if (hasEnded(after.status)) return `${what}, and the run ends as ${after.status}.`
  const isThere = lane === null || after.fork?.branches.some(({ name }) => name === lane) === true
  const state = topFrame(isThere ? laneOf(after, lane) : after.main).state
  const who = nameOf(isThere ? lane : null).toLowerCase()
  return state === from
    ? `${what}, and ${who} stays in ${from}.`
    : `${what}, and ${who} goes to ${state}.`
}

function nameOf(lane: LaneName): string {
  return lane === null ? 'The run' : `The branch ${lane}`
}
