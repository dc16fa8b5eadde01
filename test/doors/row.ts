import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Act, Agent, Cell, Door, Outcome } from './door.ts'
import type { Person } from './person.ts'

/** One row played through one door. */
export interface Play {
  readonly door: Door
  readonly cell: Cell
  readonly agent: Agent
  readonly person: Person
}

export interface Row {
  readonly name: string
  /** The ids of the rules that it proves, as tests cite them. */
  readonly rules: string
  /** Which server it is played on, where that is not the one that enforces. */
  readonly mode?: 'observe'
  /** The definition without its id. */
  definition(door: Door): object
  /** Everything that the agent may do, in this order. */
  acts(paths: CellPaths): readonly Act[]
  /** What came of it, in a few words. */
  play(play: Play): Promise<string>
  /** What has to be there before. */
  prepare?(cell: Cell, door: Door): Promise<void>
}

/** Where a cell is, before it is open. */
export interface CellPaths {
  readonly door: Door
  readonly project: string
  /** The configuration of the server, which guards it. */
  readonly configuration: string
}

export const mark: Extract<Act, { write: string }> = { write: 'mark.txt', text: 'made\n' }
export const end = { type: 'final' }

/** A state in which these tools may be used, with whatever else holds in it. */
export function workflow(tools: readonly string[], more: object = {}, around: object = {}): object {
  const working = { allowed_tools: tools, on: { DONE: 'done' }, ...more }
  return { initial: 'working', states: { working, done: end }, ...around }
}

/** A state in which everything passes, under this policy. */
export function underPolicy(policy: object): object {
  return { initial: 'working', states: { working: { on: { DONE: 'done' } }, done: end }, policy }
}

export function deniedOr(outcome: Outcome, otherwise: string): string {
  if (outcome.ended !== undefined) return `ended, ${outcome.ended}`
  return outcome.isDenied ? `denied ${outcome.code ?? 'without a code'}` : otherwise
}

export function isWritten({ door, cell }: Play, act: Act): boolean {
  if (!('write' in act)) throw new Error('bug: only a written file can be looked for')
  return door.hasWritten?.(cell, act.write) ?? existsSync(resolve(cell.project, act.write))
}

/** A denial that let the deed happen all the same is none. */
export async function tryWriting(play: Play, act: Act): Promise<string> {
  const outcome = await play.agent.act(act)
  if (outcome.refusedResult !== undefined) return `ran, RESULT REFUSED ${outcome.refusedResult}`
  if (outcome.isDenied === isWritten(play, act)) {
    return outcome.isDenied ? 'DENIED BUT DONE' : `NOT DONE: ${outcome.text.slice(0, 200)}`
  }
  return deniedOr(outcome, 'ran')
}

/**
 * A call that the door cannot hold as its state wants. Whether it can is known before anything is
 * recorded: an allow in the history would count against limits, and prove what never ran.
 */
export async function deniedForGood({ agent, person }: Play, outcome: Outcome): Promise<string> {
  const entries = await person.history(agent.runId)
  const decided = entries.findLast(({ type }) => type === 'call_decided')
  const isSame = decided?.decision === 'deny' && decided.code === outcome.code
  const recorded = isSame ? '' : `, RECORDED AS ${decided?.decision} ${decided?.code}`
  return `denied ${outcome.code}${recorded}`
}

/** Answers the question of a call, be it while the call waits or after it was turned away. */
export async function answering<Value>(
  { agent, person }: Play,
  verdict: 'approve' | 'reject',
  call: Promise<Value>,
): Promise<Value> {
  let isOver = false
  const over = call.finally(() => {
    isOver = true
  })
  for (;;) {
    // A question is stored before its call is answered: after that one more look is enough.
    const isLast = isOver
    const question = await person.waiting(agent.runId)
    if (question !== undefined) await person.answer(question, verdict)
    if (question !== undefined || isLast) return over
    await wait(20)
  }
}
