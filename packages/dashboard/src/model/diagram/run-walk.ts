import type { Entry } from '@statewright/core/internal'
import { anywhere, pairKey, type RunGraphEdge } from './run-graph.ts'

/** The way that a run took through the picture of its machine. */
export interface RunWalk {
  /** How often each state was entered. */
  readonly visits: ReadonlyMap<string, number>
  /** Arrows that were walked, as `pairKey` names them. */
  readonly walked: ReadonlySet<string>
  /** The arrows of the newest move, and how many moves there were. */
  readonly newest: readonly string[]
  readonly moves: number
  /** How many calls and moves were refused in each state. */
  readonly refusals: ReadonlyMap<string, number>
  /** How many calls passed in each state that would have been stopped were they not observed. */
  readonly passed: ReadonlyMap<string, number>
}

/** What has to be remembered on the way. */
interface Walker {
  readonly visits: Map<string, number>
  readonly walked: Set<string>
  readonly refusals: Map<string, number>
  readonly passed: Map<string, number>
  newest: string[]
  moves: number
  /** Where each branch stands; the run itself is the one without a name. */
  readonly lanes: Map<string, string>
  /** A join is recorded by where it leads: the branches say where they ended. */
  ended: string[]
  forkedFrom: string
  /** States whose workflow was invoked and has not ended. */
  readonly callers: string[]
}

/** Plays entries as moves along arrows; those of forks are needed to know where branches begin. */
export function walkOf(entries: readonly Entry[], forks: readonly RunGraphEdge[]): RunWalk {
  const walker: Walker = {
    visits: new Map(),
    walked: new Set(),
    refusals: new Map(),
    passed: new Map(),
    newest: [],
    moves: 0,
    lanes: new Map(),
    ended: [],
    forkedFrom: '',
    callers: [],
  }
  for (const entry of entries) {
    if (entry.type === 'forked') fork(walker, entry, forks)
    else if (entry.type === 'branch_ended') {
      if (entry.status === 'completed') walker.ended.push(entry.state)
    } else if (entry.type === 'joined') join(walker, entry.to, entry.succeeded)
    else if (isRefusal(entry)) countAt(walker.refusals, stateOf(walker, entry.branch))
    else if (isPassed(entry)) countAt(walker.passed, stateOf(walker, entry.branch))
    else follow(walker, entry)
  }
  return walker
}

function follow(walker: Walker, entry: Entry): void {
  const { branch } = entry
  switch (entry.type) {
    case 'run_started':
      enter(walker, entry.state, branch)
      break
    case 'invoked':
      walker.callers.push(entry.from)
      enter(walker, entry.state, branch)
      break
    case 'invoke_ended': {
      const from = walker.callers.pop()
      if (entry.to !== null && from !== undefined) move(walker, { from, to: entry.to, branch })
      break
    }
    case 'transitioned':
    case 'forced':
      move(walker, { from: entry.from, to: entry.to, branch })
      break
    case 'answered':
      move(walker, { from: entry.from, to: entry.to ?? 'end', branch })
      break
    case 'interrupted':
      move(walker, { from: anywhere, to: entry.to, branch })
      break
    case 'returned':
      enter(walker, entry.to, branch)
      walk(walker, [pairKey(entry.from, anywhere)])
      break
    default:
      break
  }
}

type Forked = Extract<Entry, { type: 'forked' }>

/** Arrows of a fork are drawn from its state to the first state of each branch. */
function fork(walker: Walker, { from, event, branches }: Forked, forks: readonly RunGraphEdge[]) {
  walker.ended = []
  walker.forkedFrom = from
  const keys: string[] = []
  for (const branch of branches) {
    const label = `${event} / ${branch}`
    const edge = forks.find((one) => one.from === from && one.label.split('\n').includes(label))
    if (edge === undefined) continue
    enter(walker, edge.to, branch)
    keys.push(pairKey(from, edge.to))
  }
  walk(walker, keys)
}

function join(walker: Walker, to: string | null, succeeded: boolean): void {
  if (to === null) return
  enter(walker, to, undefined)
  walk(
    walker,
    (succeeded ? walker.ended : [walker.forkedFrom]).map((from) => pairKey(from, to)),
  )
}

function move(
  walker: Walker,
  { from, to, branch }: { from: string; to: string; branch: string | undefined },
): void {
  enter(walker, to, branch)
  walk(walker, [pairKey(from, to)])
}

function enter({ visits, lanes }: Walker, state: string, branch: string | undefined): void {
  countAt(visits, state)
  lanes.set(branch ?? '', state)
}

function walk(walker: Walker, keys: string[]): void {
  for (const key of keys) walker.walked.add(key)
  walker.newest = keys
  walker.moves += 1
}

function stateOf({ lanes }: Walker, branch: string | undefined): string {
  return lanes.get(branch ?? '') ?? lanes.get('') ?? ''
}

function countAt(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function isRefusal(entry: Entry): boolean {
  if (entry.type === 'refused') return true
  return entry.type === 'call_decided' && entry.decision === 'deny'
}

/** What was only observed: the record says that it passed. */
function isPassed(entry: Entry): boolean {
  return entry.type === 'call_decided' && entry.would !== undefined
}
