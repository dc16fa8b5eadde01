import { BoundedMap } from '../base/bounded-map.ts'
import { defined } from '../base/defined.ts'
import { limits } from '../base/limits.ts'
import type { Code } from '../base/problem.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { provableFacts } from '../reduce/evidence.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { openFileChanges } from './file-changes.ts'
import { type Hope, maxHopes, newHopes, settledHopes } from './hopes.ts'
import {
  type CallOutcome,
  changes,
  finishCall,
  judgeCall,
  nextTask,
  type Played,
  startWorld,
  type World,
} from './world.ts'

/** A call of a transcript, described as the guard would see it. */
export interface TranscribedCall {
  readonly at: number
  readonly call: ToolCall
  /** The sub-agent that made it; the main one where left out. */
  readonly agent?: string
  /** As it is named where its exit is missing. */
  readonly command?: string
  /** Files whose text before the call the transcript does not tell. */
  readonly unknownText?: readonly string[]
}

export interface TranscribedResult {
  readonly at: number
  readonly id: string
  /** Null where the transcript does not say. */
  readonly exit: 'success' | 'failure' | null
  readonly bytes: number
  readonly output?: string
}

/** How a call would have been judged, after every legal way was tried. */
export interface ObedientAnswer {
  readonly kind: 'allow' | 'ask' | 'deny' | 'undecided'
  /** Where the agent stood when it was answered so. */
  readonly state: string
  readonly code?: Code
  readonly path?: string
  readonly message?: string
  /** What the transcript would have to tell for an answer. */
  readonly missing?: readonly string[]
}

/** What the agent and people did beside the calls. */
export interface ObedientMoves {
  readonly runs: number
  readonly events: number
  readonly approvals: number
  readonly claims: readonly string[]
}

interface OpenCall {
  readonly transcribed: TranscribedCall
  readonly mayProve: boolean
  /** Another result came since: where its own has not by the next call, it never will. */
  isOverdue?: boolean
}

/**
 * Plays a transcript as an agent would that obeys: where a call is denied it takes the legal way to
 * a state that lets it through, and what is denied then no legal way would have allowed (RP-26). A
 * denied call was made all the same: its edits changed files, so that evidence goes stale by it;
 * for the rules it leaves no trace (RP-27). Where the transcript does not say how a command ended,
 * the agent is played once more for each way it may have ended, and a denial that only some of them
 * know is undecided (RP-28).
 */
export class ObedientAgent {
  readonly #played: Played
  readonly #open = new BoundedMap<string, OpenCall>(limits.openCalls)
  readonly #judged = new BoundedMap<string, true>(limits.rememberedTranscribed)
  readonly #moves = { runs: 0, events: 0, approvals: 0 }
  readonly #claims = new Set<string>()
  #world: World | undefined
  #hopes: readonly Hope[] = []
  #missing: readonly string[] = []
  #task: string | undefined
  #isPrompted = false
  /** Some ways in which commands may have ended are not played. */
  #isCut = false

  constructor(program: Program) {
    this.#played = { program, files: openFileChanges(program) }
  }

  get moves(): ObedientMoves {
    return { ...this.#moves, claims: [...this.#claims] }
  }

  prompt(at: number, text: string): void {
    this.#task = text
    this.#isPrompted = true
    const hears = (of: World) => (of.hasEnded ? of : nextTask(this.#played, of, { at, text }))
    if (this.#world !== undefined) this.#world = hears(this.#world)
    this.#hopes = this.#hopesOn(hears)
  }

  /** Undefined where this very call was judged before: some clients write one down twice. */
  call(transcribed: TranscribedCall): ObedientAnswer | undefined {
    const { call, agent } = transcribed
    const here = this.#goOn(transcribed)
    this.#settleOverdue(agent)
    if (this.#judged.has(call.id)) return undefined
    this.#judged.set(call.id, true)
    this.#open.set(call.id, { transcribed, mayProve: proves(this.#played.program, call) })
    const judged = judgeCall(this.#played, here, transcribed)
    this.#world = judged.world
    this.#count(judged)
    let isHoped = false
    this.#hopes = this.#hopesOn((of) => {
      const one = judgeCall(this.#played, of, transcribed)
      isHoped ||= one.kind !== 'deny'
      return one.world
    })
    const answer = answerOf(judged)
    if (judged.kind !== 'deny') return answer
    const unknown = unknownFor(judged, transcribed)
    if (unknown.length > 0) return { ...answer, kind: 'undecided', missing: unknown }
    return isHoped || this.#isCut
      ? { ...answer, kind: 'undecided', missing: this.#missing }
      : answer
  }

  result(result: TranscribedResult): void {
    const known = this.#open.get(result.id)
    if (known === undefined || this.#world === undefined) return
    const { transcribed, mayProve } = known
    const { call, agent, command = call.tool } = transcribed
    const { exit } = result
    for (const [, one] of this.#open)
      if (one !== known && one.transcribed.agent === agent) one.isOverdue = true
    const finish = (of: World, end: TranscribedResult['exit']) =>
      finishCall(this.#played, of, { ...result, exit: end }, agent)
    if (exit === null && mayProve) {
      // It stays open: a command that goes on may be told of once more, with its end.
      this.#missing = [...new Set([...this.#missing, `exit of ${command}`])].slice(-maxHopes)
      const { hopes, isCut } = newHopes(this.#world, this.#hopes, { id: call.id, finish })
      this.#hopes = hopes
      this.#isCut ||= isCut
      return
    }
    this.#open.delete(result.id)
    this.#played.files.change(changedBy(call, exit))
    this.#world = finish(this.#world, exit)
    this.#hopes = this.#hopesOn((of) => finish(of, exit))
    if (this.#hopes.length === 0 || !mayProve || exit === null) return
    const settled = settledHopes(this.#world, this.#hopes, { id: call.id, exit })
    this.#world = settled.world
    this.#hopes = settled.hopes
    if (this.#hopes.length === 0 && !this.#isCut) this.#missing = []
  }

  /** Where the agent stands, however the commands of unknown end came out. */
  #goOn(transcribed: TranscribedCall): World {
    const before = this.#world
    const here =
      before === undefined ? this.#begin(transcribed.at) : this.#renewed(before, transcribed)
    if (here !== before) this.#moves.runs += 1
    this.#hopes = this.#hopesOn((of) => this.#renewed(of, transcribed))
    this.#isPrompted = false
    return here
  }

  #begin(at: number): World {
    return startWorld(this.#played, { at, ...defined({ task: this.#task }) })
  }

  /** What is over is followed by the next task: at a prompt, or when files are changed again. */
  #renewed(of: World, { at, call }: TranscribedCall): World {
    return of.hasEnded && (this.#isPrompted || changes(call)) ? this.#begin(at) : of
  }

  #hopesOn(step: (of: World) => World): readonly Hope[] {
    return this.#hopes.map((hope) => ({ ...hope, world: step(hope.world) }))
  }

  #settleOverdue(agent: string | undefined): void {
    for (const [id, one] of [...this.#open]) {
      const { isOverdue, mayProve, transcribed } = one
      if (isOverdue !== true || mayProve || transcribed.agent !== agent) continue
      this.#played.files.change(changedBy(transcribed.call, null))
      this.#open.delete(id)
    }
  }

  #count({ events, approvals, claims }: CallOutcome): void {
    this.#moves.events += events
    this.#moves.approvals += approvals
    for (const claim of claims) this.#claims.add(claim)
  }
}

function answerOf({ kind, state, code, path, message }: CallOutcome): ObedientAnswer {
  return { kind, state, ...defined({ code, path, message }) }
}

/** What a denial rests on that a transcript does not hold, where it rests on nothing else. */
function unknownFor({ reasons }: CallOutcome, { unknownText = [] }: TranscribedCall): string[] {
  const restOnly = (codes: ReadonlySet<string>) =>
    reasons.length > 0 && reasons.every(({ code }) => codes.has(code))
  if (unknownText.length > 0 && restOnly(textCodes)) {
    return unknownText.slice(0, 3).map((file) => `old text of ${file}`)
  }
  return restOnly(counterCodes) ? ['rates and budgets'] : []
}

const textCodes: ReadonlySet<string> = new Set(['edit_too_large', 'edit_unreadable'])
const counterCodes: ReadonlySet<string> = new Set([
  'rate_exceeded',
  'budget_exceeded',
  'session_budget_exhausted',
])

/** An edit that failed changed nothing; what a command visibly writes it may have written first. */
function changedBy({ edits = [], shellFiles = [] }: ToolCall, exit: 'success' | 'failure' | null) {
  return exit === 'failure' ? shellFiles : [...edits.map(({ path }) => path), ...shellFiles]
}

function proves({ machines }: Program, call: ToolCall): boolean {
  const some = (machine: Machine) => provableFacts(machine, call).length > 0
  return [...machines.values()].some(some)
}
