import type { TransitionDefinition, WorkflowDefinition } from '../definition/workflow-schema.ts'
import type { ProcessDefinition } from '../process/process-schema.ts'

export interface GraphNode {
  readonly name: string
  readonly isInitial: boolean
  readonly isFinal: boolean
  readonly note: string
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly label: string
  /** The event, the answer or the interrupt; empty where any other event leads on. */
  readonly event: string
  /** How it comes about: an event, a fork, its join, an interrupt, or an unknown event. */
  readonly kind: 'event' | 'fork' | 'join' | 'interrupt' | 'safe_next'
}

export interface Graph {
  readonly title: string
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** The end of a process that no state names. */
const endNode = 'end'

/** A definition as a graph, for pictures. It need not be free of findings. */
export function workflowGraph(definition: WorkflowDefinition): Graph {
  const nodes = Object.entries(definition.states).map(([name, state]) => ({
    name,
    isInitial: name === definition.initial,
    isFinal: state.type === 'final',
    note: state.allowed_tools === undefined ? '' : state.allowed_tools.join(', ') || 'no tools',
  }))
  const edges: GraphEdge[] = []
  for (const [from, state] of Object.entries(definition.states)) {
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      edges.push(...transitionEdges(from, event, transition))
    }
    if (state.safe_next !== undefined) {
      edges.push({
        from,
        to: state.safe_next,
        label: 'any other event',
        event: '',
        kind: 'safe_next',
      })
    }
  }
  for (const [name, interrupt] of Object.entries(definition.interrupts ?? {})) {
    const label = `${name}: ${triggerText(interrupt.trigger)}`
    edges.push({ from: '*', to: interrupt.target, label, event: name, kind: 'interrupt' })
  }
  return { title: definition.id, nodes, edges }
}

type Trigger = NonNullable<WorkflowDefinition['interrupts']>[string]['trigger']

/** What fires an interrupt: files, calls of tools, or calls that change such files. */
function triggerText({ file_pattern, tool, when }: Trigger): string {
  const tools = tool === undefined ? [] : [tool].flat().join(', ')
  const condition = when === undefined ? '' : ` [${when}]`
  return [tools, file_pattern ?? []].flat().join(' ') + condition
}

function transitionEdges(
  from: string,
  event: string,
  transition: TransitionDefinition,
): GraphEdge[] {
  if (typeof transition === 'string')
    return [{ from, to: transition, label: event, event, kind: 'event' }]
  if (Array.isArray(transition)) {
    return transition.flatMap((candidate) => transitionEdges(from, event, candidate))
  }
  if ('fork' in transition) return forkEdges(from, event, transition.fork)
  if ('invoke' in transition) {
    const { invoke, on_complete, on_fail } = transition
    const label = `${event} / ${invoke}`
    const done: GraphEdge = { from, to: on_complete, label, event, kind: 'event' }
    if (on_fail === undefined) return [done]
    return [done, { from, to: on_fail, label: `${label} fails`, event, kind: 'event' }]
  }
  const guards = [transition.guard ?? [], transition.guards ?? []].flat()
  const condition = guards.length > 0 ? ` [${guards.join(', ')}]` : ''
  const approval = transition.requires_approval === true ? ' (approval)' : ''
  const label = `${event}${condition}${approval}`
  return [{ from, to: transition.target, label, event, kind: 'event' }]
}

type ForkDefinition = Extract<TransitionDefinition, { fork: unknown }>['fork']

function forkEdges(from: string, event: string, fork: ForkDefinition): GraphEdge[] {
  const edges: GraphEdge[] = []
  const join = fork.join ?? 'all'
  for (const [name, branch] of Object.entries(fork.branches)) {
    edges.push({ from, to: branch.initial, label: `${event} / ${name}`, event, kind: 'fork' })
    const label = `join ${join}`
    edges.push({ from: branch.terminal, to: fork.on_complete, label, event, kind: 'join' })
  }
  if (fork.on_fail !== undefined) {
    edges.push({ from, to: fork.on_fail, label: `${event} / branch fails`, event, kind: 'join' })
  }
  return edges
}

/** A process as a graph: answers are the edges. */
export function processGraph(definition: ProcessDefinition): Graph {
  const edges: GraphEdge[] = []
  let hasEnd = false
  for (const [from, state] of Object.entries(definition.states)) {
    for (const [answer, { next, action }] of Object.entries(state.answers ?? {})) {
      const label = action === undefined ? answer : `${answer} (${action})`
      edges.push({ from, to: next ?? endNode, label, event: answer, kind: 'event' })
      hasEnd ||= next === null
    }
  }
  const nodes: GraphNode[] = Object.entries(definition.states).map(([name, state]) => ({
    name,
    isInitial: name === definition.initial,
    isFinal: Object.keys(state.answers ?? {}).length === 0,
    note: state.question,
  }))
  if (hasEnd && !Object.hasOwn(definition.states, endNode)) {
    nodes.push({ name: endNode, isInitial: false, isFinal: true, note: '' })
  }
  return { title: definition.name, nodes, edges }
}
