import {
  type Claim,
  describeFor,
  type Json,
  type JsonObject,
  type Program,
  type RunEvent,
  type RunSnapshot,
  readResult,
  reduceRun,
  startRun,
  type ToolCall,
} from '@statewright/core/internal'
import { openSealing } from '../../packages/core/src/run/read-result.ts'
import { type Memory, note } from './brute-watch.ts'
import type { WorldCall } from './random-worlds.ts'
import { snapshotText } from './snapshot-text.ts'

// Looks at every run there is of a tiny definition, the plain way: each snapshot as it is, with its
// ids and times taken out, and many more values and calls than needed. It shares nothing with the
// search but the reducer.

interface Node {
  readonly run: RunSnapshot
  /** How often a file under `src/`, and one that defines the tests, was changed. */
  readonly changed: { readonly source: number; readonly defining: number }
  readonly memory: Memory
  readonly ids: number
  /** Milliseconds that nothing happened in. */
  readonly waited: number
}

/** What can be made, sent and changed in a world. */
export interface World {
  readonly calls: readonly WorldCall[]
  /** Fields that guards read; what else is sent is seen by nobody. */
  readonly fields: readonly string[]
  readonly changesFiles: boolean
  readonly countsCalls: boolean
  readonly countsFiles: boolean
  /** Whether calls are made after the end as well: a claim speaks of them there. */
  readonly goesOn: boolean
  /** What a call may answer with, where anything hangs on that. */
  readonly resultsOf: (call: WorldCall) => readonly JsonObject[]
  readonly waits: boolean
}

export interface BruteAnswer {
  readonly holds: boolean
  /** False where there was too much to look at: then only a violation counts. */
  readonly isWhole: boolean
}

const agent = { kind: 'agent', id: 'somebody' } as const
const person = { kind: 'person', id: 'ann' } as const
const maxNodes = 300

export function bruteForce(program: Program, claim: Claim, world: World): BruteAnswer {
  const begun = startRun(program, {
    type: 'started',
    at: 1,
    by: person,
    hash: program.hash,
    digests: digests({ source: 0, defining: 0 }),
  })
  const first: Memory = {
    isOn: claim.from === undefined,
    visited: [],
    approved: [],
  }
  const start = note(claim, first, { before: begun.run, step: begun, event: null, at: 1, program })
  if (start.violated) return { holds: false, isWhole: true }
  const nodes: Node[] = [
    {
      run: begun.run,
      changed: { source: 0, defining: 0 },
      memory: start.memory,
      ids: 0,
      waited: 0,
    },
  ]
  const seen = new Map([[keyOf(nodes[0] as Node, world), 0]]) // It was put there a line above.
  const edges: number[][] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node // The loop stays within the list.
    const next: number[] = []
    for (const tried of eventsFrom(program, node, world)) {
      const made = play(program, node, tried, claim)
      if (made.violated) return { holds: false, isWhole: true }
      const key = keyOf(made.node, world)
      const index = seen.get(key) ?? nodes.push(made.node) - 1
      seen.set(key, index)
      next.push(index)
    }
    edges.push(next)
    if (nodes.length > maxNodes) return { holds: true, isWhole: false }
  }
  if (claim.can_always_reach === undefined) return { holds: true, isWhole: true }
  return { holds: !hasTrap(nodes, edges, claim.can_always_reach), isWhole: true }
}

interface Tried {
  readonly event: RunEvent | null
  readonly changed?: Node['changed']
  readonly end?: 'success' | 'failure'
  readonly result?: JsonObject
  readonly made?: WorldCall
  readonly waited?: number
}

/** Everything that anybody might try: most of it is refused. */
function eventsFrom(program: Program, node: Node, world: World): Tried[] {
  const { run, changed } = node
  if (['completed', 'failed', 'blocked', 'stopped'].includes(run.status)) {
    if (!world.goesOn) return []
    const calls = callsFrom(program, node, world, undefined)
    return [...calls, ...verdictsFrom(node), ...changesFrom(node, world)]
  }
  const branches = run.fork?.branches.map(({ name }) => name) ?? []
  const lanes = run.fork === null ? [undefined] : branches
  const at = timeOf(node)
  const approvalId = `ask${node.ids}`
  const tried: Tried[] = []
  for (const branch of lanes) {
    const where = branch === undefined ? {} : { branch }
    for (const name of ['A', 'B', 'C', 'WHAT']) {
      const facts = { at, by: agent, ...where, approvalId, digests: digests(changed) }
      const event = { type: 'transition_requested', event: name, ...facts } as const
      // A refused event changes nothing, whatever it was sent with.
      const isRefused = reduceRun(program, run, { ...event, data: { b: 2 } }).refusal !== undefined
      if (isRefused) continue
      for (const data of dataOf(world)) tried.push({ event: { ...event, data } })
    }
    tried.push(...callsFrom(program, node, world, branch))
  }
  for (const name of branches) {
    for (const end of ['DONE', 'FAIL']) {
      for (const data of dataOf(world)) {
        const event = {
          type: 'transition_requested',
          event: `BRANCH_${end}:${name}`,
          data,
        } as const
        tried.push({ event: { ...event, at, by: agent, approvalId, digests: digests(changed) } })
      }
    }
  }
  return [...tried, ...verdictsFrom(node), ...changesFrom(node, world)]
}

/** What happens without anybody of the run. */
function changesFrom({ changed }: Node, { waits, changesFiles }: World): Tried[] {
  const { source, defining } = changed
  return [
    ...(waits ? [{ event: null, waited: 600_000 }] : []),
    ...(changesFiles ? [{ event: null, changed: { ...changed, source: source + 1 } }] : []),
    ...(changesFiles ? [{ event: null, changed: { ...changed, defining: defining + 1 } }] : []),
  ]
}

function timeOf({ ids, waited }: Pick<Node, 'ids' | 'waited'>): number {
  return 10 + ids + waited
}

function verdictsFrom(node: Node): Tried[] {
  const { run, changed } = node
  const lanes = [run.main, ...(run.fork?.branches.map(({ lane }) => lane) ?? [])]
  const moves = lanes.flatMap(({ approval }) => approval?.id ?? [])
  const waiting = run.asks.filter(({ status }) => status === 'waiting')
  const facts = { at: timeOf(node), by: person, digests: digests(changed) }
  const all = ['approve', 'reject', 'expire'] as const
  const verdicts = [
    ...moves.flatMap((approvalId) => all.map((verdict) => ({ approvalId, verdict }))),
    // A no to one call closes nothing: there are endlessly many like it, and a few of them here.
    ...waiting.map(({ id: approvalId }) => ({ approvalId, verdict: 'approve' }) as const),
  ]
  return verdicts.map((one) => ({ event: { type: 'approval_resolved', ...one, ...facts } }))
}

function callsFrom(
  program: Program,
  node: Node,
  world: World,
  branch: string | undefined,
): Tried[] {
  const { ids, changed } = node
  const at = timeOf(node)
  const approval = { approvalId: `ask${ids}`, approvalExpiresAt: at + 1e12 }
  const facts = { at, by: agent, ...approval, digests: digests(changed) }
  return world.calls.flatMap((one): Tried[] => {
    const call = { ...described(program, one), id: `call${ids}` }
    const where = branch === undefined ? {} : { branch }
    const event: RunEvent = { type: 'tool_requested', call, ...facts, ...where }
    const good = world.resultsOf(one).map((result) => ({ end: 'success', result }) as const)
    return [...good, { end: 'failure' } as const].map((end) => ({ event, made: one, ...end }))
  })
}

/** What a rule reads of a call rides on it, so that each program has its own. */
const readCalls = new WeakMap<Program, Map<WorldCall, ToolCall>>()

function described(program: Program, call: WorldCall): ToolCall {
  const known = readCalls.get(program) ?? new Map<WorldCall, ToolCall>()
  readCalls.set(program, known)
  const one = known.get(call) ?? describeFor(program, { id: 'c', ...call }, { root: '/work' })
  known.set(call, one)
  return one
}

/** Every choice of one value, or none, for each field. */
function dataWith(values: Readonly<Record<string, readonly Json[]>>): JsonObject[] {
  let made: JsonObject[] = [{}]
  for (const [name, list] of Object.entries(values)) {
    made = made.flatMap((data) => [data, ...list.map((value) => ({ ...data, [name]: value }))])
  }
  return made
}

const ofRun = { a: [null, 0, 1], b: [1, 2] }
const someData = [
  ...dataWith({ ...ofRun, c: [null, 1] }),
  ...dataWith({ ...ofRun, child: [{ c: 1 }, { c: 0 }], 'branches.left.a': [1, null] }),
  { branches: {}, a: 1 },
]

/** A field is sent whole or by its first word, and by its last one within a branch or child. */
function dataOf({ fields }: World): JsonObject[] {
  const words = fields.map((field) => field.split('.'))
  const names = new Set([...fields, ...words.flatMap((one) => [one[0], one.at(-1)])])
  return someData.filter((data) => Object.keys(data).every((name) => names.has(name)))
}

function digests({ source, defining }: Node['changed']) {
  return { t: { stale: `${source}`, definedBy: `${defining}` } }
}

function play(
  program: Program,
  node: Node,
  { event, changed = node.changed, end, result = {}, made, waited = 0 }: Tried,
  claim: Claim,
): { readonly node: Node; readonly violated: boolean } {
  const later = { ...node, changed, ids: node.ids + 1, waited: node.waited + waited }
  if (event === null) return { node: later, violated: false }
  const step = reduceRun(program, node.run, event)
  let noted = note(claim, node.memory, {
    before: node.run,
    step,
    event,
    at: event.at,
    program,
    made,
  })
  let { run } = step
  let now = changed
  const isLet = step.answer.type === 'decided' && step.answer.decision.kind === 'allow'
  if (event.type === 'tool_requested' && end !== undefined && isLet) {
    const { at, call } = event
    const edits = end === 'success' ? (call.edits ?? []) : []
    const source = edits.filter(({ path }) => path.startsWith('src/')).length
    now = { ...changed, source: changed.source + source }
    const seen = { at, by: agent, exit: end, result: { structured: result }, sealing: openSealing }
    const finished: RunEvent = {
      ...{ type: 'tool_finished', at, by: agent, callId: call.id, bytes: 0 },
      ...{ exit: end, source: 'observed', digests: digests(now) },
      ...readResult(program, run, call.id, seen),
    }
    const last = reduceRun(program, run, finished)
    const branch = 'branch' in event ? event.branch : undefined
    const ended = { before: run, step: last, event: null, at, program, branch }
    const more = note(claim, noted.memory, ended)
    noted = { memory: more.memory, violated: noted.violated || more.violated }
    run = last.run
  }
  return { node: { ...later, run, changed: now, memory: noted.memory }, violated: noted.violated }
}

function hasTrap(
  nodes: readonly Node[],
  edges: readonly number[][],
  states: readonly string[],
): boolean {
  const isOver = ({ run }: Node) => run.status !== 'running' && run.status !== 'waiting'
  const isGoal = (node: Node) => {
    if (states.length === 0) return isOver(node)
    const lanes = [node.run.main, ...(node.run.fork?.branches.map(({ lane }) => lane) ?? [])]
    return lanes.some(({ frames }) =>
      frames.some(({ machine, state }) => machine === 'small' && states.includes(state)),
    )
  }
  const good = nodes.map(isGoal)
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (let at = edges.length - 1; at >= 0; at--) {
      if (good[at] || !edges[at]?.some((to) => good[to])) continue
      good[at] = true
      hasChanged = true
    }
  }
  return nodes.some((node, at) => !good[at] && !isOver(node))
}

function keyOf(node: Node, world: World): string {
  const { run, changed, memory } = node
  return snapshotText(run, changed, memory, { ...world, now: timeOf(node) })
}
