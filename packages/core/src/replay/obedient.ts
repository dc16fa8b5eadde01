import { BoundedMap } from '../base/bounded-map.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import type { Code } from '../base/problem.ts'
import type { Machine, Program } from '../machine/machine.ts'
import { provableFacts } from '../reduce/evidence.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { type FileChanges, openFileChanges } from './file-changes.ts'
import {
  changes,
  finishCall,
  type Judged,
  judgeCall,
  nextTask,
  standingOf,
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
  /** Where the agent stood when it asked. */
  readonly state: string
  readonly code?: Code
  readonly path?: string
  readonly message?: string
  /** What the transcript would have to tell for an answer. */
  readonly missing?: readonly string[]
}

export interface ObedientAgent {
  prompt(at: number, text: string): void
  /** Undefined where this very call was judged before: some clients write one down twice. */
  call(call: TranscribedCall): ObedientAnswer | undefined
  result(result: TranscribedResult): void
  /** What the agent and people did beside the calls. */
  readonly moves: () => ObedientMoves
}

export interface ObedientMoves {
  readonly runs: number
  readonly events: number
  readonly approvals: number
  readonly claims: readonly string[]
}

/** Where the agent would stand if commands of unknown end had ended so. */
interface Hope {
  readonly world: World
  readonly assumes: Readonly<Record<string, 'success' | 'failure'>>
}

interface OpenCall {
  readonly transcribed: TranscribedCall
  readonly mayProve: boolean
  /** It was followed by a result: what has no end of its own by the next call is over. */
  isOverdue?: boolean
}

const mostWorlds = 4

/**
 * Plays a transcript as an agent would that obeys: where a call is denied it takes the legal way to
 * a state that lets it through, and what is denied then no legal way would have allowed. A denied
 * call was made all the same: its edits changed files, so that evidence goes stale by it; for the
 * rules it leaves no trace. Where the transcript does not say how a command ended, the agent is
 * played once more for each way it may have ended, and a denial that only one of them knows is
 * undecided (RP-28).
 */
export function openObedient(program: Program): ObedientAgent {
  const files: FileChanges = openFileChanges(program)
  const open = new BoundedMap<string, OpenCall>(limits.openCalls)
  const told = new BoundedMap<string, true>(limits.rememberedTranscribed)
  const context = { program, files }
  let world: World | undefined
  let hopes: readonly Hope[] = []
  let missing: readonly string[] = []
  let task: string | undefined
  let isPrompted = false
  const moves = { runs: 0, events: 0, approvals: 0 }
  const claims = new Set<string>()

  const hopesOn = (step: (of: World) => World): Hope[] =>
    hopes.map((hope) => ({ ...hope, world: step(hope.world) }))
  const fresh = (at: number) => startWorld(context, { at, ...(task === undefined ? {} : { task }) })

  /** What is over is followed by the next task: at a prompt, or when files are changed again. */
  const renewed = (of: World, { at, call }: TranscribedCall) =>
    of.hasEnded && (isPrompted || changes(call)) ? fresh(at) : of

  /** Where the agent stands, however the commands of unknown end came out. */
  function goOn(transcribed: TranscribedCall): World {
    const before = world
    const here = before === undefined ? fresh(transcribed.at) : renewed(before, transcribed)
    if (here !== before) moves.runs += 1
    hopes = hopesOn((of) => renewed(of, transcribed))
    isPrompted = false
    return here
  }

  function settleOverdue(agent: string | undefined): void {
    for (const [id, one] of [...open]) {
      if (one.isOverdue !== true || one.mayProve || one.transcribed.agent !== agent) continue
      files.change(changedBy(one.transcribed.call, null))
      open.delete(id)
    }
  }

  /** A command has a known end: what was assumed otherwise is wrong, and the rest may be as it is. */
  function settleHopes(id: string, exit: 'success' | 'failure'): void {
    const left = hopes
      .filter(({ assumes }) => (own(assumes, id) ?? exit) === exit)
      .map((hope) => {
        const { [id]: _, ...assumes } = hope.assumes
        return { ...hope, assumes }
      })
    world = left.find(({ assumes }) => Object.keys(assumes).length === 0)?.world ?? world
    const is = world === undefined ? '' : standingOf(world)
    hopes = left.filter((hope) => standingOf(hope.world) !== is)
    if (hopes.length === 0) missing = []
  }

  function count(judged: Judged): void {
    moves.events += judged.events
    moves.approvals += judged.approvals
    for (const claim of judged.claims) claims.add(claim)
  }

  return {
    prompt(at, text) {
      task = text
      isPrompted = true
      const hears = (of: World) => (of.hasEnded ? of : nextTask(context, of, { at, text }))
      if (world !== undefined) world = hears(world)
      hopes = hopesOn(hears)
    },
    call(transcribed) {
      const { call, agent } = transcribed
      const here = goOn(transcribed)
      settleOverdue(agent)
      if (told.has(call.id)) return undefined
      told.set(call.id, true)
      open.set(call.id, { transcribed, mayProve: proves(program, call) })
      const judged = judgeCall(context, here, transcribed)
      const hoped: Judged[] = []
      hopes = hopesOn((of) => {
        const one = judgeCall(context, of, transcribed)
        hoped.push(one)
        return one.world
      })
      world = judged.world
      count(judged)
      if (judged.kind !== 'deny') return answerOf(judged)
      const unknown = unknownFor(judged, transcribed)
      if (unknown.length > 0) return { ...answerOf(judged), kind: 'undecided', missing: unknown }
      if (!hoped.some(({ kind }) => kind !== 'deny')) return answerOf(judged)
      return { ...answerOf(judged), kind: 'undecided', missing }
    },
    result(result) {
      const known = open.get(result.id)
      if (known === undefined || world === undefined) return
      const { transcribed, mayProve } = known
      const { call, agent, command = call.tool } = transcribed
      for (const [, one] of open)
        if (one !== known && one.transcribed.agent === agent) one.isOverdue = true
      const isUnknown = result.exit === null && mayProve
      // A command that goes on may be told of once more, with its end.
      if (!isUnknown) open.delete(result.id)
      if (result.exit !== null || !mayProve) files.change(changedBy(call, result.exit))
      const finish = (of: World, exit: TranscribedResult['exit']) =>
        finishCall(context, of, { ...result, exit }, agent)
      if (isUnknown) {
        missing = [...new Set([...missing, `exit of ${command}`])].slice(-mostWorlds)
        const ends = ['success', 'failure'] as const
        hopes = [{ world, assumes: {} }, ...hopes]
          .flatMap(({ world: of, assumes }) =>
            ends.map((exit) => ({
              world: finish(of, exit),
              assumes: { ...assumes, [call.id]: exit },
            })),
          )
          .slice(0, mostWorlds)
        return
      }
      const { exit } = result
      world = finish(world, exit)
      hopes = hopesOn((of) => finish(of, exit))
      if (hopes.length === 0 || !mayProve || exit === null) return
      settleHopes(call.id, exit)
    },
    moves: () => ({ ...moves, claims: [...claims] }),
  }
}

function answerOf({ kind, state, code, path, message }: Judged): ObedientAnswer {
  return {
    ...{ kind, state },
    ...(code === undefined ? {} : { code }),
    ...(path === undefined ? {} : { path }),
    ...(message === undefined ? {} : { message }),
  }
}

/** What a denial rests on that a transcript does not hold, where it rests on nothing else. */
function unknownFor({ reasons }: Judged, { unknownText = [] }: TranscribedCall): string[] {
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
