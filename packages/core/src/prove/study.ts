import { type Simulated, simulateStart } from '../history/simulation.ts'
import type { Machine, Program } from '../machine/machine.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { type TriedCall, triedCall } from './call-effects.ts'
import { type FieldReads, fieldReads } from './field-reads.ts'
import { type DataFields, dataFields } from './moves.ts'
import { type SampleCall, type SampleCalls, sampleCalls } from './sample-calls.ts'

export interface StudyOptions {
  /** A call as the guard would see it. */
  readonly describe: Simulated['describe']
  readonly strict?: boolean | undefined
  /** Calls that the author names, in claims or scenarios. */
  readonly calls?: readonly SampleCall[]
}

/** A program as the search sees it, worked out once for all claims. */
export interface Study {
  readonly program: Program
  readonly start: Simulated
  readonly calls: SampleCalls
  readonly tried: readonly TriedCall[]
  readonly reads: FieldReads
  readonly data: DataFields
  /** Whether a call can do more than be counted: give evidence, fire a detour, teach or mark. */
  readonly callsMatter: boolean
}

export function study(program: Program, options: StudyOptions): Study {
  const describe = remembering(options.describe)
  const start = simulateStart(program, { at: startMoment, describe, strict: options.strict })
  const reads = fieldReads(program)
  const calls = sampleCalls(program, options.calls ?? [])
  return {
    program,
    start,
    reads,
    calls,
    tried: calls.telling.map((call) => triedCall(start, call, calls.classOf)),
    data: dataFields(reads),
    callsMatter: [...program.machines.values()].some(noticesCalls),
  }
}

const startMoment = 1000

function noticesCalls({ evidence, interrupts, facts, marks, policy }: Machine): boolean {
  if (evidence.size > 0 || interrupts.length > 0) return true
  return facts.length > 0 || marks.length > 0 || (policy?.marks.length ?? 0) > 0
}

/** The same calls are made in every situation; reading a command anew each time takes longest. */
function remembering(describe: Simulated['describe']): Simulated['describe'] {
  const known = new Map<string, ToolCall>()
  return ({ id, tool, input }) => {
    const key = JSON.stringify([tool, input])
    const found = known.get(key) ?? describe({ id, tool, input })
    known.set(key, found)
    return { ...found, id }
  }
}
