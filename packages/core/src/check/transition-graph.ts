import type { Path } from '../definition/finding.ts'
import type {
  Fork,
  GuardedTransition,
  StateDefinition,
  TransitionDefinition,
  WorkflowDefinition,
} from '../definition/workflow-schema.ts'

/** One way from a state to another, and where it is written. */
export interface Edge {
  readonly to: string
  readonly path: Path
  readonly kind: 'move' | 'safe_next' | 'join' | 'child' | 'branch'
  /** A guard must pass or a person approve. */
  readonly isEarned: boolean
}

/** A target with its conditions: a plain one, a guarded one or one of a list. */
export interface Move {
  readonly state: string
  readonly path: Path
  readonly targetPath: Path
  readonly written: GuardedTransition
}

export interface ForkSite {
  readonly state: string
  readonly path: Path
  readonly fork: Fork
}

export interface InvokeSite {
  readonly path: Path
  readonly invoke: string
  readonly on_complete: string
  readonly on_fail?: string | undefined
}

/** What leads where in a workflow, collected once for all checks. */
export interface TransitionGraph {
  readonly states: ReadonlyMap<string, StateDefinition>
  readonly edges: ReadonlyMap<string, readonly Edge[]>
  readonly moves: readonly Move[]
  readonly forks: readonly ForkSite[]
  readonly invokes: readonly InvokeSite[]
  /** States that lead to `$return`. */
  readonly offersReturn: ReadonlySet<string>
}

export const returnTarget = '$return'

export function transitionGraph(definition: WorkflowDefinition): TransitionGraph {
  const states = new Map(Object.entries(definition.states))
  const edges = new Map<string, readonly Edge[]>()
  const moves: Move[] = []
  const forks: ForkSite[] = []
  const invokes: InvokeSite[] = []
  for (const [name, state] of states) {
    const own: Edge[] = []
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      const path = ['states', name, 'on', event]
      if (isFork(transition)) {
        forks.push({ state: name, path: [...path, 'fork'], fork: transition.fork })
        for (const edge of forkEdges(transition.fork, [...path, 'fork'])) own.push(edge)
      } else if (isInvoke(transition)) {
        invokes.push({ path, ...transition })
        for (const edge of endEdges(transition, path, 'child')) own.push(edge)
      } else {
        for (const move of movesOf(transition, path, name)) {
          moves.push(move)
          if (move.written.target !== returnTarget) own.push(moveEdge(move))
        }
      }
    }
    if (state.safe_next !== undefined) {
      const path = ['states', name, 'safe_next']
      own.push({ to: state.safe_next, path, kind: 'safe_next', isEarned: false })
    }
    edges.set(name, own)
  }
  const returning = moves.filter((move) => move.written.target === returnTarget)
  const offersReturn = new Set(returning.map((move) => move.state))
  return { states, edges, moves, forks, invokes, offersReturn }
}

/**
 * Every state that can be reached from some states along the edges that may be followed. With a
 * budget it stops when that many edges were looked at.
 */
export function reachable(
  graph: TransitionGraph,
  starts: Iterable<string>,
  mayFollow: (edge: Edge) => boolean = () => true,
  budget: { edges: number } = { edges: Number.POSITIVE_INFINITY },
): Set<string> {
  const reached = new Set<string>()
  const waiting = [...starts]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name) || !graph.states.has(name)) continue
    reached.add(name)
    const edges = graph.edges.get(name) ?? []
    budget.edges -= edges.length + 1
    if (budget.edges < 0) return reached
    for (const edge of edges) if (mayFollow(edge)) waiting.push(edge.to)
  }
  return reached
}

type ForkTransition = Extract<TransitionDefinition, { fork: unknown }>
type InvokeTransition = Extract<TransitionDefinition, { invoke: unknown }>

function isFork(transition: TransitionDefinition): transition is ForkTransition {
  return typeof transition === 'object' && 'fork' in transition
}

function isInvoke(transition: TransitionDefinition): transition is InvokeTransition {
  return typeof transition === 'object' && 'invoke' in transition
}

function movesOf(
  transition: string | GuardedTransition | readonly GuardedTransition[],
  path: Path,
  state: string,
): Move[] {
  if (typeof transition === 'string') {
    return [{ state, path, targetPath: path, written: { target: transition } }]
  }
  if ('target' in transition) {
    return [{ state, path, targetPath: [...path, 'target'], written: transition }]
  }
  return transition.map((written, index) => {
    const where = [...path, index]
    return { state, path: where, targetPath: [...where, 'target'], written }
  })
}

function moveEdge({ written, targetPath }: Move): Edge {
  const isEarned = hasGuards(written) || written.requires_approval === true
  return { to: written.target, path: targetPath, kind: 'move', isEarned }
}

export function hasGuards(written: GuardedTransition): boolean {
  return written.guard !== undefined || (written.guards ?? []).length > 0
}

function forkEdges(fork: Fork, path: Path): Edge[] {
  const edges = endEdges(fork, path, 'join')
  for (const [name, branch] of Object.entries(fork.branches)) {
    for (const part of ['initial', 'terminal'] as const) {
      const where = [...path, 'branches', name, part]
      edges.push({ to: branch[part], path: where, kind: 'branch', isEarned: false })
    }
  }
  return edges
}

function endEdges(
  ends: { readonly on_complete: string; readonly on_fail?: string | undefined },
  path: Path,
  kind: 'join' | 'child',
): Edge[] {
  const complete = { to: ends.on_complete, path: [...path, 'on_complete'], kind, isEarned: false }
  if (ends.on_fail === undefined) return [complete]
  return [complete, { to: ends.on_fail, path: [...path, 'on_fail'], kind, isEarned: false }]
}
