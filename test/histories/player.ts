import type { JsonObject } from '@statewright/core/internal'
import type { Caller } from '../../packages/server/src/base/caller.ts'
import type { Clock } from '../../packages/server/src/base/clock.ts'
import { explainCall } from '../../packages/server/src/guard/explain.ts'
import { finishCall } from '../../packages/server/src/guard/finish-call.ts'
import { createGuard } from '../../packages/server/src/guard/guard.ts'
import type { CallRequest } from '../../packages/server/src/guard/guarded-call.ts'
import type { OtherEvent } from '../../packages/server/src/runtime/dispatch.ts'
import { saveDefinition } from '../../packages/server/src/runtime/rules/definitions.ts'
import {
  expireApprovals,
  resolveApproval,
} from '../../packages/server/src/runtime/runs/approvals.ts'
import {
  answerQuestion,
  changeRun,
  transition,
} from '../../packages/server/src/runtime/runs/change-run.ts'
import { type StartRequest, startRun } from '../../packages/server/src/runtime/runs/start-run.ts'
import type { Runtime } from '../../packages/server/src/runtime/runtime.ts'
import { check } from '../../packages/server/testing/adapters.ts'

export const agent: Caller = {
  tokenId: 'agent_1',
  kind: 'agent',
  role: 'developer',
  name: 'agent',
}
export const person: Caller = { tokenId: 'person_1', kind: 'person', role: 'admin', name: 'ada' }

export function worker(agentId: string): Caller {
  return { ...agent, agentId }
}

/** A clock that stands until it is moved, and ids in a row: a story gives the same bytes again. */
export class StoryClock implements Clock {
  #now: number
  #ids = 0
  readonly #prefix: string

  constructor(start: number, prefix = '') {
    this.#now = start
    this.#prefix = prefix
  }

  now(): number {
    this.#now += 1000
    return this.#now
  }

  newId(prefix: string): string {
    this.#ids += 1
    return `${prefix}_${this.#prefix}${this.#ids}`
  }

  wait(ms: number): void {
    this.#now += ms
  }
}

export interface World {
  readonly runtime: Runtime
  readonly clock: StoryClock
  readonly workspace: string
}

/** One run that a story plays on, through the real runtime. */
export class Player {
  readonly world: World
  readonly runId: string
  lastCall = ''
  lastApproval = ''

  constructor(world: World, runId: string) {
    this.world = world
    this.runId = runId
  }

  static async start(world: World, request: StartRequest, caller: Caller = agent): Promise<Player> {
    const started = await startRun(world.runtime, caller, request)
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`)
    return new Player(world, started.value.live.row.runId)
  }

  /** Asks for a call, and gives back how it was decided. */
  async ask(
    tool: string,
    input: unknown = {},
    more: Partial<CallRequest> = {},
    caller: Caller = agent,
  ): Promise<string> {
    const guard = createGuard({ runtime: this.world.runtime })
    const answer = await check(guard, caller, { run: this.runId, tool, input, ...more })
    this.lastCall = answer.callId
    if (answer.decision === 'allow') return answer.decision
    if (answer.approvalId !== undefined) this.lastApproval = answer.approvalId
    return answer.code
  }

  /** Asks for a call and reports its result when it was let through. */
  async use(
    tool: string,
    input: unknown = {},
    result: { exit?: 'success' | 'failure' | null; bytes?: number; costMicros?: number } = {},
    caller: Caller = agent,
  ): Promise<string> {
    const decided = await this.ask(tool, input, {}, caller)
    if (decided === 'allow') await this.result(result, caller)
    return decided
  }

  bash(command: string, caller: Caller = agent): Promise<string> {
    return this.use('Bash', { command }, {}, caller)
  }

  async result(
    given: { exit?: 'success' | 'failure' | null; bytes?: number; costMicros?: number },
    caller: Caller = agent,
    callId = this.lastCall,
  ): Promise<void> {
    const { exit = 'success', bytes = 10, costMicros } = given
    await finishCall(this.world.runtime, caller, {
      run: this.runId,
      callId,
      bytes,
      exit,
      source: 'observed',
      durationMs: 5,
      ...(costMicros === undefined ? {} : { costMicros }),
    })
  }

  async send(
    event: string,
    data?: JsonObject,
    branch?: string,
    caller: Caller = agent,
  ): Promise<string> {
    const done = await transition(this.world.runtime, caller, {
      run: this.runId,
      event,
      ...(data === undefined ? {} : { data }),
      ...(branch === undefined ? {} : { branch }),
    })
    if (!done.ok) return done.error.code
    const { answer } = done.value
    if (answer.type === 'pending_approval') this.lastApproval = answer.approvalId
    return answer.type
  }

  async answer(answer: string, rationale?: string): Promise<string> {
    const done = await answerQuestion(this.world.runtime, agent, {
      run: this.runId,
      answer,
      ...(rationale === undefined ? {} : { rationale }),
    })
    if (!done.ok) return done.error.code
    if (done.value.answer.type === 'pending_approval') {
      this.lastApproval = done.value.answer.approvalId
    }
    return done.value.answer.type
  }

  async resolve(
    verdict: 'approve' | 'reject',
    more: { note?: string; always?: boolean } = {},
  ): Promise<string> {
    const approvalId = this.lastApproval
    const done = await resolveApproval(this.world.runtime, person, { approvalId, verdict, ...more })
    return done.ok ? done.value.status : done.error.code
  }

  async expire(afterMs: number): Promise<void> {
    this.world.clock.wait(afterMs)
    await expireApprovals(this.world.runtime)
  }

  /** Any other event, as the caller that it names. */
  async event(
    make: Pick<OtherEvent, 'type'> & Record<string, unknown>,
    caller: Caller = person,
  ): Promise<string> {
    const done = await changeRun(
      this.world.runtime,
      caller,
      { run: this.runId },
      (_live, facts) => {
        // The story writes the event out as its type wants it.
        return { ...facts, ...make } as OtherEvent
      },
    )
    return done.ok ? done.value.answer.type : done.error.code
  }

  async probe(tool: string, input: unknown): Promise<void> {
    await explainCall(createGuard({ runtime: this.world.runtime }), agent, {
      run: this.runId,
      tool,
      input,
    })
  }
}

export async function save(world: World, source: string): Promise<void> {
  const saved = await saveDefinition(world.runtime, person, source, {})
  if (!saved.ok) throw new Error(`${saved.error.message} in:\n${source}`)
}
