import { type Simulated, simulateStart } from '../history/simulation.ts'
import type { Machine, Program } from '../machine/machine.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { keyOfCall, type TriedCall, triedCall } from './call-effects.ts'
import { type FieldReads, fieldReads } from './field-reads.ts'
import { FreeConditions, plainReadings, type Readings } from './free-conditions.ts'
import { hasConditions } from './has-conditions.ts'
import { limitsCalls, limitsFiles, withoutFileLimits, withoutLimits } from './limits.ts'
import { type DataFields, dataFields } from './moves.ts'
import type { SampleCall } from './sample-call.ts'
import { type SampleCalls, sampleCalls } from './sample-calls.ts'

export interface StudyOptions {
  /** A call as the guard would see it. */
  readonly describe: Simulated['describe']
  readonly strict?: boolean | undefined
  /** Calls that the author names, in claims or scenarios. */
  readonly calls?: readonly SampleCall[]
}

/** A run at its start, and how its conditions are read from there on. */
export interface Beginning {
  readonly start: Simulated
  readonly readings: Readings
  /** Calls that may do more than be counted. */
  readonly tried: readonly TriedCall[]
}

/** A program as the search sees it, worked out once for all claims. */
export interface Study {
  readonly program: Program
  /** With conditions as they are. */
  readonly real: Beginning
  /** With conditions that come out either way; null where there are none. */
  readonly free: Beginning | null
  /** The one that allows more of the two, and lets as many files be changed as anybody likes. */
  readonly loose: Beginning
  /** The same, with as many calls as anybody likes; null where no state counts calls. */
  readonly uncounted: Beginning | null
  readonly limitsFiles: boolean
  readonly calls: SampleCalls
  readonly reads: FieldReads
  readonly data: DataFields
  /** Whether a call can do more than be counted: give evidence, fire a detour, teach or mark. */
  readonly callsMatter: boolean
  readonly strict: boolean
}

export function study(program: Program, options: StudyOptions): Study {
  const describe = remembering(options.describe)
  const conditions = hasConditions(program) ? new FreeConditions(program) : null
  const reads = fieldReads(program)
  const { calls: written = [] } = options
  const named = conditions === null ? written.map(withoutResult) : written
  const calls = sampleCalls(program, named)
  const begin = (one: Program, readings: Readings, isConcrete: boolean): Beginning => {
    const { strict } = options
    const start = simulateStart(one, { at: startMoment, describe, strict })
    const { classOf } = calls
    const telling = isConcrete || conditions === null ? calls.telling : ofKind(calls.telling)
    const tried = telling.map((call) => triedCall(start, call, { classOf, isConcrete }))
    const isMeant = (one: TriedCall) => one.isGuess !== true || one.changesFiles
    return { start, readings, tried: tried.filter(isMeant) }
  }
  const real = begin(program, plainReadings, conditions !== null)
  // Where conditions come out either way, a call stands for all of its kind.
  const free = conditions && begin(conditions.program, conditions.readings, false)
  const all = free ?? real
  const isLimited = limitsFiles(program)
  const begun = (one: Program) => begin(one, all.readings, false)
  return {
    program,
    real,
    free,
    loose: isLimited ? begun(withoutFileLimits(all.start.program)) : all,
    uncounted: limitsCalls(program) ? begun(withoutLimits(all.start.program)) : null,
    limitsFiles: isLimited,
    reads,
    calls,
    data: dataFields(reads),
    callsMatter: [...program.machines.values()].some(noticesCalls),
    strict: options.strict === true,
  }
}

const startMoment = 1000

/** Only conditions read what a call answered with. */
function withoutResult({ tool, input }: SampleCall): SampleCall {
  return { tool, input }
}

/** Those that differ only in what they answered with are one where any answer is possible. */
function ofKind(calls: readonly SampleCall[]): SampleCall[] {
  return [...new Map(calls.map((call) => [keyOfCall(call), withoutResult(call)])).values()]
}

function noticesCalls({ evidence, interrupts, facts, marks, policy }: Machine): boolean {
  if (evidence.size > 0 || interrupts.length > 0) return true
  return facts.length > 0 || marks.length > 0 || (policy?.marks.length ?? 0) > 0
}

/** The same calls are made in every situation; reading a command again each time takes longest. */
function remembering(describe: Simulated['describe']): Simulated['describe'] {
  const known = new Map<string, ToolCall>()
  return ({ id, tool, input }) => {
    const key = JSON.stringify([tool, input])
    const found = known.get(key) ?? describe({ id, tool, input })
    known.set(key, found)
    return { ...found, id }
  }
}
