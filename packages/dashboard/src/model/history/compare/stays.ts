import type { Entry, JsonObject, RunSnapshot } from '@statewright/core/internal'
import { entryWords, gistOf, type Tone } from '../../words/entry-words.ts'
import type { Fold } from '../fold.ts'

/** From entering a state to leaving it. */
export interface Stay {
  readonly machine: string
  readonly state: string
  readonly branch: string
  /** Indexes of the entry that led here, and of the last one before it was left. */
  readonly first: number
  readonly last: number
  readonly steps: readonly StayStep[]
  /** How it was left; undefined where the run still stands here. */
  readonly exit: Exit | undefined
  /** The data with which it was left, what the way out wrote included. */
  readonly context: JsonObject
}

export interface Exit {
  readonly event: string
  readonly to: string
}

/** What was decided in a state: a call, a refused move, a person's verdict, a proof. */
export interface StayStep {
  /** By what it is found again in another run. */
  readonly key: string
  readonly title: string
  readonly gist: string
  readonly tone: Tone
  /** What came of it, such as `deny: tool_not_allowed`. */
  readonly decision: string
  /** Of the arguments, where it has some. */
  readonly argsHash: string
  readonly index: number
}

type Draft = { -readonly [K in keyof Stay]: Stay[K] } & { readonly steps: StayStep[] }

/**
 * The states of a run in the order in which it stayed in them. Branches of a fork stand one after
 * the other, not as they took turns: two runs are then beside each other whatever came first.
 */
export function staysOf({ entries, snapshots }: Fold): readonly Stay[] {
  const stays: Draft[] = []
  const lanes = new Map<string, Draft[]>()
  const here = (branch: string): Draft | undefined =>
    branch === '' ? stays.at(-1) : (lanes.get(branch)?.at(-1) ?? stays.at(-1))
  const enter = (branch: string, state: string, index: number) => {
    const frame = framesOf(snapshots[index], branch).at(-1) ?? here(branch)
    const stay = { machine: frame?.machine ?? '', state, branch, first: index, last: index }
    const draft: Draft = { ...stay, steps: [], exit: undefined, context: frame?.context ?? {} }
    if (branch === '') stays.push(draft)
    else lanes.set(branch, [...(lanes.get(branch) ?? []), draft])
  }
  const leave = (branch: string, exit: Exit, index: number) => {
    const stay = here(branch)
    if (stay === undefined) return
    stay.exit = exit
    stay.context = contextOf(snapshots[index], stay) ?? stay.context
  }
  const gatherLanes = () => {
    for (const lane of lanes.values()) stays.push(...lane)
    lanes.clear()
  }
  entries.forEach((entry, index) => {
    const branch = entry.branch ?? ''
    const stay = here(branch)
    const move = moveOf(entry)
    if (move === undefined) {
      if (stay === undefined) return
      stay.last = index
      stay.context = contextOf(snapshots[index], stay) ?? stay.context
      const step = stepOf(entry, index)
      if (step !== undefined) stay.steps.push(step)
      return
    }
    // A join follows the ends of its branches; the state before the fork was left by it.
    if (entry.type !== 'joined') leave(branch, move, index)
    if (entry.type === 'forked') {
      for (const one of snapshots[index]?.fork?.branches ?? []) {
        enter(one.name, one.lane.frames.at(-1)?.state ?? '', index)
      }
      return
    }
    if (entry.type === 'joined') gatherLanes()
    if (move.to !== '') enter(entry.type === 'joined' ? '' : branch, move.to, index)
  })
  gatherLanes()
  return stays
}

/** Where an entry leads; undefined where it stays. */
function moveOf(entry: Entry): Exit | undefined {
  switch (entry.type) {
    case 'run_started':
      return { event: 'start', to: entry.state }
    case 'transitioned':
    case 'returned':
      return { event: entry.event, to: entry.to }
    case 'forced':
      return { event: 'forced', to: entry.to }
    case 'interrupted':
      return { event: `interrupt ${entry.name}`, to: entry.to }
    case 'answered':
      return { event: entry.answer, to: entry.to ?? '' }
    case 'invoked':
      return { event: `${entry.event}: ${entry.workflow}`, to: entry.state }
    case 'invoke_ended':
      return {
        event: `${entry.workflow} ${entry.succeeded ? 'done' : 'failed'}`,
        to: entry.to ?? '',
      }
    case 'forked':
      return { event: entry.event, to: entry.branches.join(' ∥ ') }
    case 'branch_ended':
      return { event: `branch ${entry.status}`, to: '' }
    case 'joined':
      return { event: entry.succeeded ? 'joined' : 'fork failed', to: entry.to ?? '' }
    case 'run_ended':
      return { event: `ended: ${entry.status}`, to: '' }
    default:
      return undefined
  }
}

function stepOf(entry: Entry, index: number): StayStep | undefined {
  const { title, tone } = entryWords(entry)
  const plain = { title, tone, gist: '', argsHash: '', index }
  switch (entry.type) {
    case 'call_decided': {
      const gist = gistOf(entry)
      const decision = [entry.decision, entry.would, entry.code].filter(Boolean).join(': ')
      const argsHash = entry.cause?.type === 'tool_requested' ? entry.cause.call.argsHash : ''
      return { ...plain, key: JSON.stringify([entry.tool, gist]), gist, decision, argsHash }
    }
    case 'refused':
      return { ...plain, key: `move ${entry.event ?? ''}`, decision: `refused: ${entry.code}` }
    case 'approval_resolved':
      return { ...plain, key: 'verdict', decision: entry.verdict }
    case 'evidence':
      return {
        ...plain,
        key: `evidence ${entry.name}`,
        decision: entry.proved ? 'proved' : 'refuted',
      }
    default:
      return undefined
  }
}

/** Of the frame of its own machine: on top of it may stand one that it invoked. */
function contextOf(snapshot: RunSnapshot | undefined, stay: Stay): JsonObject | undefined {
  const frames = framesOf(snapshot, stay.branch)
  return frames.findLast(({ machine }) => machine === stay.machine)?.context
}

/** None for a branch that was joined in the same step. */
function framesOf(snapshot: RunSnapshot | undefined, branch: string) {
  if (branch === '') return snapshot?.main.frames ?? []
  return snapshot?.fork?.branches.find(({ name }) => name === branch)?.lane.frames ?? []
}
