import type { JsonObject } from '../base/json.ts'
import { stableText } from '../base/stable-text.ts'
import { parseDefinition } from '../check/check-definition.ts'
import { replay } from '../history/replay.ts'
import type { Program } from '../machine/machine.ts'
import { compileProgram, type Definition } from '../machine/program.ts'
import type { Entry } from '../run/entries.ts'
import type { Actor, DigestFacts, RunEvent, RunStarted } from '../run/events.ts'
import { laneOf, topFrame } from '../run/lanes.ts'
import type { Frame, RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { analyzeShell } from '../shell/analyze.ts'
import { reduceRun } from './reduce-run.ts'
import { startRun } from './start.ts'

export const agent: Actor = { kind: 'agent', id: 'main' }
export const person: Actor = { kind: 'person', id: 'ann' }
export const system: Actor = { kind: 'system', id: 'clock' }
export const worker = (id: string): Actor => ({ kind: 'agent', id })

/** A definition as an author writes it: YAML or JSON text, or a plain value. */
export type DefinitionSource = string | JsonObject

export interface PlayOptions extends Partial<Omit<RunStarted, 'type' | 'hash'>> {
  readonly invokes?: readonly DefinitionSource[]
}

type CallFacts = Partial<ToolCall> & {
  readonly by?: Actor
  readonly branch?: string
  readonly more?: Partial<Extract<RunEvent, { type: 'tool_requested' }>>
}
type ResultFacts = Partial<Omit<Extract<RunEvent, { type: 'tool_finished' }>, 'type' | 'callId'>>
type MoveFacts = { readonly by?: Actor; readonly branch?: string; readonly digests?: DigestFacts }

/** Any event without what the kit fills in by itself. */
type Loose<Event> = Event extends RunEvent
  ? Omit<Event, 'at' | 'by' | 'approvalId' | 'approvalExpiresAt'> & Partial<Event>
  : never

export function program(
  written: DefinitionSource,
  invokes: readonly DefinitionSource[] = [],
): Program {
  const others = new Map(invokes.map((one) => [nameOf(read(one)), read(one)]))
  const compiled = compileProgram(read(written), (name) => others.get(name))
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error))
  return compiled.value
}

function read(written: DefinitionSource): Definition {
  const parsed = parseDefinition(written)
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  // `kind` and `definition` belong together; the narrowing of optional fields loses that.
  return { kind: parsed.kind, definition: parsed.definition } as Definition
}

function nameOf(definition: Definition): string {
  return definition.kind === 'workflow' ? definition.definition.id : definition.definition.name
}

/**
 * Plays a run step by step. Every method answers with one word: `ok`, `allow`, `ask`, `pending` or
 * the code of the refusal. Beside that it watches what must always hold: nothing is changed in
 * place, a refusal changes nothing, no change goes without an entry, and replaying the history
 * gives the snapshot.
 */
export function play(written: DefinitionSource, options: PlayOptions = {}) {
  const { invokes, ...start } = options
  const machine = program(written, invokes)
  let now = 1000
  let calls = 0
  let step: Step = startRun(machine, {
    type: 'started',
    at: now,
    by: person,
    hash: machine.hash,
    ...start,
  })
  const entries: Entry[] = [...step.entries]

  function dispatch(event: Loose<RunEvent>): Step {
    now += 1
    const before = frozen(step.run)
    // The kit fills in what `Loose` took away, so that the whole is an event again.
    const full = {
      at: now,
      by: agent,
      approvalId: `ask${now}`,
      approvalExpiresAt: now + 300_000,
      ...event,
    } as RunEvent
    now = full.at
    step = reduceRun(machine, before, stored(full))
    entries.push(...step.entries)
    watch(before)
    return step
  }

  function watch(before: RunSnapshot): void {
    if (step.refusal !== undefined && step.run !== before) throw new Error('a refusal changed it')
    if (step.entries.length === 0 && step.run !== before) throw new Error('changed without entry')
    if (entries.length > 150) return
    const again = replay(machine, stored(entries))
    if (!again.ok) throw new Error(`replay: ${JSON.stringify(again)}`)
    if (stableText(again.run) !== stableText(step.run)) throw new Error('replay gives another run')
  }

  function frame(branch: string | null = null): Frame {
    return topFrame(laneOf(step.run, branch))
  }

  const self = {
    program: machine,
    entries: entries as readonly Entry[],
    dispatch,
    frame,
    get last(): Step {
      return step
    },
    get run(): RunSnapshot {
      return step.run
    },
    get status() {
      return step.run.status
    },
    /** Where the run stands; with a fork, where each branch stands. */
    get state(): string {
      return frame().state
    },
    get branches(): Record<string, string> {
      const branches = step.run.fork?.branches ?? []
      return Object.fromEntries(
        branches.map((one) => [one.name, `${one.status} ${topFrame(one.lane).state}`]),
      )
    },
    get context(): JsonObject {
      return frame().context
    },
    get notices(): readonly string[] {
      const { answer } = step
      return answer.type === 'decided' || answer.type === 'recorded' ? answer.notices : []
    },
    /** The types of the entries that the last step left. */
    get left(): string[] {
      return step.entries.map((entry) => entry.type)
    },
    /** Sets the time of the next step. */
    at(time: number) {
      now = time - 1
      return self
    },
    tool(tool: string, facts: CallFacts = {}): string {
      const { by = agent, branch, more, ...given } = facts
      calls += 1
      const call: ToolCall = { id: `c${calls}`, tool, argsHash: argsOf(tool, given), ...given }
      dispatch({
        type: 'tool_requested',
        by,
        call,
        ...(branch === undefined ? {} : { branch }),
        ...more,
      })
      return decided(step)
    },
    bash(command: string, facts: CallFacts = {}): string {
      return self.tool('Bash', { shell: analyzeShell(command), ...facts })
    },
    edit(path: string, facts: CallFacts & { lines?: number } = {}): string {
      const { lines = 1, ...rest } = facts
      return self.tool('Edit', { edits: [{ path, op: 'edit', lines }], ...rest })
    },
    /** The id of the newest call. */
    get call(): string {
      return `c${calls}`
    },
    result(callId: string, facts: ResultFacts = {}): string {
      const exit = 'success' as const
      dispatch({ type: 'tool_finished', callId, bytes: 0, exit, source: 'observed', ...facts })
      return outcome(step)
    },
    send(event: string, data?: JsonObject, facts: MoveFacts = {}): string {
      const { by = agent, ...rest } = facts
      const carried = data === undefined ? {} : { data }
      dispatch({ type: 'transition_requested', by, event, ...carried, ...rest })
      return outcome(step)
    },
    answer(answer: string, rationale?: string): string {
      dispatch({
        type: 'answer_given',
        answer,
        ...(rationale === undefined ? {} : { rationale }),
      })
      return outcome(step)
    },
    /** Answers the approval that waits, or the one named. */
    resolve(
      verdict: 'approve' | 'reject' | 'expire',
      facts: Partial<Extract<RunEvent, { type: 'approval_resolved' }>> = {},
    ): string {
      const waiting = pendingId(step.run) ?? 'nothing waits'
      dispatch({ type: 'approval_resolved', approvalId: waiting, verdict, by: person, ...facts })
      return outcome(step)
    },
    bind(branch: string, by: Actor): string {
      dispatch({ type: 'branch_bound', branch, by })
      return outcome(step)
    },
    pause: (by: Actor = agent) => outcome(dispatch({ type: 'paused', by })),
    resume: (by: Actor = agent) => outcome(dispatch({ type: 'resumed', by })),
    stop: (by: Actor = agent) => outcome(dispatch({ type: 'stopped', by })),
    force(state: string, context?: JsonObject, by: Actor = agent): string {
      dispatch({ type: 'forced', state, by, ...(context === undefined ? {} : { context }) })
      return outcome(step)
    },
  }
  return self
}

export type Play = ReturnType<typeof play>

function decided(step: Step): string {
  if (step.answer.type !== 'decided') throw new Error(`not decided: ${step.answer.type}`)
  const { decision } = step.answer
  return decision.kind === 'deny' ? (decision.code ?? 'deny') : decision.kind
}

function outcome({ refusal, answer }: Step): string {
  if (refusal !== undefined) return refusal.code
  if (answer.type === 'pending_approval') return 'pending'
  return answer.type === 'approval_ended' ? (answer.code ?? answer.verdict) : 'ok'
}

function pendingId(run: RunSnapshot): string | undefined {
  const lanes = [run.main, ...(run.fork?.branches ?? []).map((branch) => branch.lane)]
  const parked = lanes.find((lane) => lane.approval !== null)?.approval?.id
  return parked ?? run.asks.find((ask) => ask.status === 'waiting')?.id
}

function argsOf(tool: string, facts: object): string {
  return stableText({ tool, ...facts })
}

/** What a store would give back: whatever does not survive JSON shows in replay. */
function stored<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}

/** Reads a table as people write it: a head line, then one row a line, columns by two blanks. */
export function rows<Column extends string>(table: string): Record<Column, string>[] {
  const lines = table.split('\n').filter((line) => line.trim() !== '')
  const cells = lines.map((line) => line.trim().split(/\s{2,}/))
  const [head = [], ...body] = cells
  // The head is written by the author of the table, who names its columns in the type as well.
  return body.map((row) =>
    Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])),
  ) as Record<Column, string>[]
}
