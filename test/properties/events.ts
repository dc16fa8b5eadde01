import type {
  Actor,
  DigestFacts,
  ExternalAnswer,
  JsonObject,
  RunEvent,
  RunSnapshot,
  ToolCall,
} from '@statewright/core/internal'
import fc from 'fast-check'
import type { CompiledRule } from '../../packages/core/src/policy/compile-policy.ts'
import type { UsageFacts } from '../../packages/core/src/policy/usage.ts'
import { callOf } from './calls.ts'
import { hostileEvent, hostileTexts } from './hostile.ts'
import { choice, pick } from './pick.ts'
import { answerNames } from './processes.ts'
import { evidenceNames, plainValues } from './workflow-fields.ts'
import { branchNames, eventNames } from './workflows.ts'
import type { World } from './world.ts'

/**
 * Events are chosen as numbers and become real ones only when the run stands before them: an event
 * that the current state knows, the id of an approval that waits, a call that is still open.
 */
const kinds = {
  tool: 30,
  finish: 22,
  move: 28,
  branch: 7,
  bind: 9,
  verdict: 14,
  answer: 8,
  pause: 2,
  resume: 3,
  stop: 1,
  force: 2,
  hostile: 3,
  note: 1,
  cost: 1,
  start: 1,
} as const
type Kind = keyof typeof kinds

export const intent = fc.record({
  kind: fc.oneof(
    ...Object.entries(kinds).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  by: choice,
  what: choice,
  input: choice,
  more: choice,
  time: choice,
})
export type Intent = typeof intent extends fc.Arbitrary<infer Chosen> ? Chosen : never

/** What the outside knows of a run beside its snapshot. */
export interface Outside {
  readonly at: number
  /** How many events came before. */
  readonly count: number
  readonly callIds: readonly string[]
  readonly approvalIds: readonly string[]
  /** Calls that a person was asked about: a client tries them again. */
  readonly requested: readonly ToolCall[]
}

/** Time goes on, stands still and now and then steps back. */
export function timeAfter(at: number, { time }: Intent): number {
  return at + pick([1, 500, 0, 1000, 1, 100, -300, 6000, 1, 400_000], time)
}

const agents = ['main', 'sub', 'other', 'constructor'] as const

function actorOf(by: number): Actor {
  if (by % 11 === 10) return { kind: 'person', id: 'ann' }
  return { kind: 'agent', id: pick(agents, by % 7 < 4 ? 0 : by) }
}

function judgeOf(by: number): Actor {
  if (by % 6 === 4) return { kind: 'agent', id: 'main' }
  return by % 6 === 5 ? { kind: 'system', id: 'clock' } : { kind: 'person', id: 'ann' }
}

/** The event that an intent means for a run as it stands. */
export function eventFor(
  world: World,
  run: RunSnapshot,
  chosen: Intent,
  outside: Outside,
): RunEvent {
  const { what, input, more } = chosen
  const { at, count } = outside
  const by = actorOf(chosen.by)
  const approvalId = `a${count}`
  switch (kindFor(world, run, chosen)) {
    case 'tool': {
      const again = run.asks.length > 0 && input % 2 === 0 ? triedAgain(outside, chosen) : undefined
      const isRepeated = more % 9 === 8 && outside.callIds.length > 0
      const id = isRepeated ? pick(outside.callIds, what) : `c${count}`
      return {
        type: 'tool_requested',
        at,
        by,
        call: { ...(again ?? callOf({ tool: what, input, more })), id },
        digests: digestsOf(more),
        usage: usageOf(world, more),
        ...(more % 7 === 6 ? { external: [outerAnswer(input)] } : {}),
        ...(more % 23 === 22 ? { branch: pick(branchNames, input) } : {}),
        approvalId,
        approvalExpiresAt: at + 300_000,
      }
    }
    case 'finish':
      return {
        type: 'tool_finished',
        at,
        by,
        callId: resultFor(run, what),
        bytes: pick([0, 10, 95, 200], input),
        exit: pick(['success', 'failure', null] as const, more % 5 < 4 ? 0 : more),
        source: pick(['observed', 'reported'] as const, input % 4 === 3 ? 1 : 0),
        digests: digestsOf(more),
        learnt: Object.fromEntries(
          [...world.workflows.keys()].map((id) => [id, { seen: [{ key: '', value: true }] }]),
        ),
        ...(more % 4 === 3 ? { costMicros: pick([500, 0, 600], input) } : {}),
      }
    case 'move':
      return {
        type: 'transition_requested',
        at,
        by,
        event: eventHere(world, run, by, what),
        digests: digestsOf(more),
        ...(input % 3 === 0 ? { data: dataOf(input, more) } : {}),
        ...(more % 19 === 18 ? { branch: pick(branchNames, input) } : {}),
        approvalId,
      }
    case 'branch': {
      const name = pick([...(run.fork?.branches ?? []).map((one) => one.name), 'left'], input)
      const word = pick(['BRANCH_DONE', 'BRANCH_DONE', 'BRANCH_FAIL'], what)
      const event = more % 4 === 3 ? word : `${word}:${name}`
      const data = more % 5 === 4 ? { data: dataOf(input, what) } : {}
      return { type: 'transition_requested', at, by, event, ...data, approvalId }
    }
    case 'bind': {
      const names = [...(run.fork?.branches ?? []).map((one) => one.name), 'left', '__proto__']
      return { type: 'branch_bound', at, by, branch: pick(names, input) }
    }
    case 'verdict':
      return {
        type: 'approval_resolved',
        at,
        by: judgeOf(chosen.by),
        approvalId: approvalHere(run, what, outside),
        verdict: pick(
          ['approve', 'approve', 'reject', 'approve', 'approve', 'expire'] as const,
          input,
        ),
        digests: digestsOf(more),
        ...(more % 6 === 5 ? { always: true } : {}),
      }
    case 'answer': {
      const answer = more % 11 === 10 ? ' YES ' : pick(answerNames, what)
      return { type: 'answer_given', at, by, answer, approvalId }
    }
    case 'pause':
      return { type: 'paused', at, by }
    case 'resume':
      return { type: 'resumed', at, by }
    case 'stop':
      return { type: 'stopped', at, by }
    case 'force': {
      const states = [...world.program.root.states.keys(), 'nowhere', 'constructor']
      const context = more % 3 === 0 ? { context: dataOf(input, more) } : {}
      return { type: 'forced', at, by, state: pick(states, what), ...context }
    }
    case 'hostile':
      return hostileEvent(chosen, { at, by, approvalId })
    case 'note':
      return { type: 'noted', at, by, entry: 'notice', text: pick(hostileTexts, what) }
    case 'cost':
      return { type: 'cost_reported', at, by, costMicros: pick([1, 900, 0, -5], what) }
    case 'start':
      return { type: 'started', at, by, hash: world.program.hash }
  }
}

/** Mostly what makes sense now: no verdict where nothing waits, no result where no call is open. */
function kindFor(world: World, run: RunSnapshot, { kind, more, time }: Intent): Kind {
  if (more % 8 === 7) return kind
  if (run.status === 'paused' && more % 2 === 0) return 'resume'
  const top = run.main.frames.at(-1)
  const isProcess = world.processes.has(top?.machine ?? '')
  const lanes = [run.main, ...(run.fork?.branches ?? []).map((branch) => branch.lane)]
  const isWaiting =
    lanes.some(({ approval }) => approval !== null) ||
    run.asks.some(({ status }) => status === 'waiting')
  switch (kind) {
    case 'verdict':
      return isWaiting ? kind : 'move'
    case 'finish':
      return run.calls.some(({ status }) => status !== 'done') ? kind : 'tool'
    case 'branch':
      return run.fork === null && time % 4 !== 0 ? 'move' : kind
    case 'bind':
      return run.fork === null && time % 4 !== 0 ? 'tool' : kind
    case 'answer':
      return isProcess ? kind : 'move'
    case 'move':
      return isProcess ? 'answer' : kind
    case 'stop':
    case 'pause':
      return time % 3 === 0 ? kind : 'move'
    default:
      return kind
  }
}

/** Every run begins with these files, for its own evidence and that of what it invokes. */
export const digestsAtStart: DigestFacts = Object.fromEntries(
  ['', 'w0/', 'w1/', 'w2/'].flatMap((prefix) =>
    evidenceNames.map((name) => [`${prefix}${name}`, { stale: 'd0', definedBy: 'p0' }]),
  ),
)

function digestsOf(by: number): Record<string, { stale: string | null; definedBy: string | null }> {
  const stale = pick(['d0', 'd0', 'd0', 'd0', 'd1', null], by)
  const definedBy = pick(['p0', 'p0', 'p0', 'p1', null], by)
  return Object.fromEntries(evidenceNames.map((name) => [name, { stale, definedBy }]))
}

const usageCache = new WeakMap<World, readonly string[]>()

/** Every counter of every policy: all with room, or all used up. */
function usageOf(world: World, by: number): UsageFacts {
  const keys = usageCache.get(world) ?? counterKeys(world)
  usageCache.set(world, keys)
  const free = by % 5 !== 4
  return Object.fromEntries(keys.map((key) => [key, { used: 1, max: 2, resetsAt: null, free }]))
}

function counterKeys(world: World): readonly string[] {
  const rules = [...world.program.machines.values()].flatMap(({ policy }): CompiledRule[] =>
    policy === null ? [] : [...[...policy.exact.values()].flat(), ...policy.prefixes],
  )
  return rules.flatMap((rule) => rule.counters.map((counter) => counter.key))
}

function outerAnswer(by: number): ExternalAnswer {
  const kind = pick(['ask', 'ask', 'allow', 'deny'] as const, by)
  const code = kind === 'ask' ? 'approval_required' : 'policy_denied'
  const reasons =
    kind === 'allow'
      ? []
      : [{ code, message: { phrase: 'policy_unmatched' }, path: 'role' } as const]
  return { source: 'role', kind, reasons, ...(by % 2 === 0 ? { rule: 'role:ask' } : {}) }
}

/** A call that was asked about, tried once more as it was or with other arguments. */
function triedAgain({ requested }: Outside, { what, more }: Intent): ToolCall | undefined {
  const call = requested[what % 2]
  if (call === undefined || more % 6 !== 5) return call
  return { ...call, argsHash: `${call.argsHash}!` }
}

function resultFor(run: RunSnapshot, what: number): string {
  const all = run.calls.map((call) => call.id)
  const open = run.calls.filter(({ status }) => status !== 'done').map((call) => call.id)
  return pick([...open, ...open, ...open, ...all, 'nobody'], what)
}

/** Mostly an event of the state where the caller stands, sometimes another one. */
function eventHere(world: World, run: RunSnapshot, by: Actor, what: number): string {
  const branches = run.fork?.branches ?? []
  const lane =
    branches.find((one) => one.boundTo === by.id)?.lane ??
    branches.find((one) => one.status === 'running' || one.status === 'pending')?.lane ??
    run.main
  const frame = lane.frames.at(-1)
  const state = world.program.machines.get(frame?.machine ?? '')?.states.get(frame?.state ?? '')
  const known = [...(state?.transitions.keys() ?? [])]
  return known.length > 0 && what % 7 !== 6 ? pick(known, what) : pick(eventNames, what)
}

function dataOf(key: number, value: number): JsonObject {
  return { [pick(['x', 'y', 'z', 'x.y', 'toString'], key)]: pick(plainValues, value) }
}

function approvalHere(run: RunSnapshot, by: number, { approvalIds }: Outside): string {
  const branches = run.fork?.branches ?? []
  const lanes = [run.main, ...branches.map((branch) => branch.lane)]
  const waiting = lanes.flatMap(({ approval }) => (approval === null ? [] : [approval.id]))
  for (const ask of run.asks) if (ask.status === 'waiting') waiting.push(ask.id)
  if (by % 8 !== 7 && waiting.length > 0) return pick(waiting, by)
  return pick([...approvalIds, 'nobody', 'constructor'], by)
}
