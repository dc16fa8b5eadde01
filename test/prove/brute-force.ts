import {
  type Claim,
  describeFor,
  type JsonObject,
  type Program,
  type RunEvent,
  type RunSnapshot,
  reduceRun,
  type Step,
  startRun,
  type ToolCall,
} from '@statewright/core/internal'
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
}

interface Memory {
  readonly isOn: boolean
  readonly visited: readonly string[]
  readonly approved: readonly string[]
}

export interface BruteAnswer {
  readonly holds: boolean
  /** False where there was too much to look at: then only a violation counts. */
  readonly isWhole: boolean
}

const agent = { kind: 'agent', id: 'somebody' } as const
const person = { kind: 'person', id: 'ann' } as const
const maxNodes = 2000

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
  const start = note(claim, first, { before: begun.run, step: begun, event: null, program })
  if (start.violated) return { holds: false, isWhole: true }
  const nodes: Node[] = [
    { run: begun.run, changed: { source: 0, defining: 0 }, memory: start.memory, ids: 0 },
  ]
  const seen = new Map([[keyOf(nodes[0] as Node, world), 0]]) // It was put there a line above.
  const edges: number[][] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node // The loop stays within the list.
    const next: number[] = []
    for (const { event, changed = node.changed, end } of eventsFrom(program, node, world)) {
      const made = play(program, node, event, changed, end, claim)
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
}

/** Everything that anybody might try: most of it is refused. */
function eventsFrom(program: Program, node: Node, world: World): Tried[] {
  const { run, ids, changed } = node
  if (['completed', 'failed', 'blocked', 'stopped'].includes(run.status)) {
    if (!world.goesOn) return []
    return [...callsFrom(program, node, world, undefined), ...verdictsFrom(node)]
  }
  const branches = run.fork?.branches.map(({ name }) => name) ?? []
  const lanes = run.fork === null ? [undefined] : branches
  const at = 10 + ids
  const approvalId = `ask${ids}`
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
      for (const data of world.fields.includes('a') ? [{}, { a: 1 }, { a: null }] : [{}]) {
        const event = {
          type: 'transition_requested',
          event: `BRANCH_${end}:${name}`,
          data,
        } as const
        tried.push({ event: { ...event, at, by: agent, approvalId, digests: digests(changed) } })
      }
    }
  }
  tried.push(...verdictsFrom(node))
  if (!world.changesFiles) return tried
  tried.push({ event: null, changed: { ...changed, source: changed.source + 1 } })
  tried.push({ event: null, changed: { ...changed, defining: changed.defining + 1 } })
  return tried
}

function verdictsFrom({ run, ids, changed }: Node): Tried[] {
  const lanes = [run.main, ...(run.fork?.branches.map(({ lane }) => lane) ?? [])]
  const moves = lanes.flatMap(({ approval }) => approval?.id ?? [])
  const waiting = run.asks.filter(({ status }) => status === 'waiting')
  const facts = { at: 10 + ids, by: person, digests: digests(changed) }
  const all = ['approve', 'reject', 'expire'] as const
  const verdicts = [
    ...moves.flatMap((approvalId) => all.map((verdict) => ({ approvalId, verdict }))),
    // A no to one edit closes nothing: there are endlessly many like it, and a few of them here.
    ...waiting.flatMap(({ id: approvalId, tool }) =>
      (tool === 'Bash' ? all : (['approve'] as const)).map((verdict) => ({ approvalId, verdict })),
    ),
  ]
  return verdicts.map((one) => ({ event: { type: 'approval_resolved', ...one, ...facts } }))
}

function callsFrom(
  program: Program,
  { ids, changed }: Node,
  world: World,
  branch: string | undefined,
): Tried[] {
  const at = 10 + ids
  const approval = { approvalId: `ask${ids}`, approvalExpiresAt: at + 300_000 }
  const facts = { at, by: agent, ...approval, digests: digests(changed) }
  return world.calls.flatMap((one): Tried[] => {
    const call = { ...described(program, one), id: `call${ids}` }
    const where = branch === undefined ? {} : { branch }
    const event: RunEvent = { type: 'tool_requested', call, ...facts, ...where }
    return [
      { event, end: 'success' },
      { event, end: 'failure' },
    ]
  })
}

const readCalls = new WeakMap<object, ToolCall>()

function described(program: Program, call: { readonly tool: string; readonly input: object }) {
  const known = readCalls.get(call) ?? describeFor(program, { id: 'c', ...call }, { root: '/work' })
  readCalls.set(call, known)
  return known
}

const someData: JsonObject[] = [undefined, null, 0, 1].flatMap((a) =>
  [undefined, 1, 2].flatMap((b) =>
    [undefined, null, 1].map((c) => ({
      ...(a === undefined ? {} : { a }),
      ...(b === undefined ? {} : { b }),
      ...(c === undefined ? {} : { c }),
    })),
  ),
)

someData.push({ 'branches.left.a': 1 }, { child: { c: 1 } }, { branches: {}, a: 1 })

/** A field may be sent under its whole name or under its first word. */
function dataOf({ fields }: World): JsonObject[] {
  const firsts = new Set(fields.flatMap((field) => [field, field.split('.')[0]]))
  return someData.filter((data) => Object.keys(data).every((name) => firsts.has(name)))
}

function digests({ source, defining }: Node['changed']) {
  return { t: { stale: `${source}`, definedBy: `${defining}` } }
}

function play(
  program: Program,
  node: Node,
  event: RunEvent | null,
  changed: Node['changed'],
  end: Tried['end'],
  claim: Claim,
): { readonly node: Node; readonly violated: boolean } {
  if (event === null) return { node: { ...node, changed, ids: node.ids + 1 }, violated: false }
  const step = reduceRun(program, node.run, event)
  let noted = note(claim, node.memory, { before: node.run, step, event, program })
  let { run } = step
  let now = changed
  const isLet = step.answer.type === 'decided' && step.answer.decision.kind === 'allow'
  if (event.type === 'tool_requested' && end !== undefined && isLet) {
    const edits = end === 'success' ? (event.call.edits ?? []) : []
    const source = edits.filter(({ path }) => path.startsWith('src/')).length
    now = { ...changed, source: changed.source + source }
    const finished: RunEvent = {
      ...{ type: 'tool_finished', at: event.at, by: agent, callId: event.call.id, bytes: 0 },
      ...{ exit: end, source: 'observed', digests: digests(now) },
    }
    const last = reduceRun(program, run, finished)
    const more = note(claim, noted.memory, { before: run, step: last, event: null, program })
    noted = { memory: more.memory, violated: noted.violated || more.violated }
    run = last.run
  }
  return {
    node: { run, changed: now, memory: noted.memory, ids: node.ids + 1 },
    violated: noted.violated,
  }
}

interface Seen {
  readonly before: RunSnapshot
  readonly step: Step
  readonly event: RunEvent | null
  readonly program: Program
}

/** What a claim makes of one event, by reading what the reducer wrote. */
function note(claim: Claim, memory: Memory, seen: Seen): { memory: Memory; violated: boolean } {
  if (claim.can_always_reach !== undefined) return { memory, violated: false }
  const { before, step, event } = seen
  const entered: string[] = []
  const sent: string[] = []
  const fired: string[] = []
  for (const entry of step.entries) {
    if (entry.type === 'run_started') entered.push(entry.state)
    if (entry.type === 'transitioned') {
      sent.push(entry.event)
      if (!entry.event.startsWith('BRANCH_FAIL')) entered.push(entry.to)
    }
    if (entry.type === 'interrupted') {
      fired.push(entry.name)
      entered.push(entry.to)
    }
    if (entry.type === 'returned') entered.push(entry.to)
    if (entry.type === 'joined' || entry.type === 'invoke_ended') entered.push(entry.to ?? '')
    if (entry.type === 'invoked') {
      sent.push(entry.event)
      entered.push(entry.state)
    }
    if (entry.type === 'forked') {
      sent.push(entry.event)
      entered.push(...initials(seen, entry.event))
    }
  }
  const is = (moment: typeof claim.from) =>
    moment !== undefined &&
    (entered.includes(moment.enter ?? '-') ||
      sent.includes(moment.event ?? '-') ||
      fired.includes(moment.interrupt ?? '-'))
  const approval = approvedIn(before, step, event)
  const isNamed = [claim.unless ?? []].flat().some((one) => one.approval === approval)
  const approved =
    approval === null || !isNamed
      ? memory.approved
      : [...new Set([...memory.approved, approval])].sort()
  const isOn = memory.isOn && !is(claim.to)
  // A call may fire a detour of an earlier one before it is judged.
  const judged = step.entries.find((entry) => entry.type === 'call_decided')
  const here = judged?.type === 'call_decided' ? judged.state : standsAt(before, event)
  const isIn = claim.in === undefined || (step.run !== before && claim.in.includes(here))
  let visited = memory.visited
  let violated = false
  const proved = (isApproved: boolean, run: RunSnapshot) =>
    claim.unless !== undefined &&
    [claim.unless].flat().every((proof) => {
      if (proof.evidence !== undefined) return isFresh(seen.program, run, event)
      if (proof.visited !== undefined) return visited.includes(proof.visited)
      return proof.approval === true ? isApproved : approved.includes(`${proof.approval}`)
    })
  for (const state of entered) {
    const isMeant = claim.never?.enter === state
    if (isMeant && isOn && isIn && !proved(approval !== null, step.run)) violated = true
    const isAsked = [claim.unless ?? []].flat().some((one) => one.visited === state)
    if (isAsked && !visited.includes(state)) visited = [...visited, state].sort()
  }
  if (isOn && isIn && isBadCall(claim, seen) && !proved(isSpent(before, step.run), before))
    violated = true
  return { memory: { isOn: isOn || is(claim.from), visited, approved }, violated }
}

function isBadCall(claim: Claim, { before, step, event }: Seen): boolean {
  const call = claim.never?.call
  if (call === undefined || event?.type !== 'tool_requested') return false
  // The claims of a world name its own calls.
  const isMeant = meant(call as WorldCall, event)
  const isOver = before.status !== 'running' && before.status !== 'waiting'
  if (isOver && claim.in === undefined) return false
  return isMeant && step.answer.type === 'decided' && step.answer.decision.kind === 'allow'
}

function meant(call: WorldCall, { call: made }: Extract<RunEvent, { type: 'tool_requested' }>) {
  const { command, file_path } = call.input as { command?: string; file_path?: string } // Either.
  if (call.tool !== made.tool) return false
  if (command !== undefined) return made.shell?.whole?.join(' ') === command
  return call.tool === 'Read' || made.edits?.[0]?.path === file_path
}

function initials({ before, program }: Seen, event: string): string[] {
  const frame = before.main.frames.at(-1)
  const state = program.machines.get(frame?.machine ?? '')?.states.get(frame?.state ?? '')
  const fork = state?.transitions.get(event)
  return fork?.kind === 'fork' ? fork.branches.map(({ initial }) => initial) : []
}

function approvedIn(before: RunSnapshot, step: Step, event: RunEvent | null): string | null {
  if (event?.type !== 'approval_resolved' || event.verdict !== 'approve') return null
  if (step.answer.type !== 'moved') return null
  const lanes = [before.main, ...(before.fork?.branches.map(({ lane }) => lane) ?? [])]
  return lanes.find(({ approval }) => approval?.id === event.approvalId)?.approval?.event ?? null
}

function isSpent(before: RunSnapshot, after: RunSnapshot): boolean {
  const left = new Set(after.asks.map(({ id }) => id))
  return before.asks.some(({ id, status }) => status === 'approved' && !left.has(id))
}

function laneFor(run: RunSnapshot, event: RunEvent | null) {
  const named = event !== null && 'branch' in event ? event.branch : undefined
  const sentTo = event?.type === 'transition_requested' ? event.event.split(':')[1] : undefined
  const asked = event?.type === 'approval_resolved' ? event.approvalId : undefined
  const branch = run.fork?.branches.find(
    ({ name, lane }) =>
      name === (named ?? sentTo) || (asked !== undefined && lane.approval?.id === asked),
  )
  return branch?.lane ?? run.main
}

function standsAt(before: RunSnapshot, event: RunEvent | null): string {
  return laneFor(before, event).frames.at(-1)?.state ?? ''
}

function isFresh(program: Program, run: RunSnapshot, event: RunEvent | null): boolean {
  const lane = laneFor(run, event)
  const frames = [...lane.frames.toReversed(), ...run.main.frames.toReversed()]
  const record = frames.find(({ machine }) => machine === 'small')?.evidence.t
  if (record === undefined || record.outcome !== 'proved') return false
  if (program.root.evidence.get('t')?.staleAfter.length === 0) return true
  if (record.before?.stale !== record.after?.stale) return false
  const given = event !== null && 'digests' in event ? event.digests?.t?.stale : undefined
  const isNow = given === undefined || given === record.after?.stale
  return record.touched !== true && record.edits === undefined && isNow
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

function keyOf({ run, changed, memory }: Node, world: World): string {
  return snapshotText(run, changed, memory, world)
}
