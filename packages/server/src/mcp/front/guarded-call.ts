import { type ExternalAnswer, err, isJsonObject, ok, type Result } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { denialProblem } from '../../guard/denial.ts'
import type { CallOutcome } from '../../guard/finish-call.ts'
import type { Guard } from '../../guard/guard.ts'
import { type Adapter, type OpenCall, openCall } from '../../guard/guarded-call.ts'
import { UpstreamFault } from '../../upstream/problem.ts'
import { runRefOf, type ToolCaller } from '../tool-caller.ts'

/** Beside a call to a fronted tool, whose own arguments are not ours to add to. */
export const runMetaKey = 'statewright/run'

export interface McpCall {
  readonly from: ToolCaller
  readonly meta: unknown
  /** Missing for the gateway's own guarded tools, which are judged like those of any client. */
  readonly server?: string
  readonly tool: string
  readonly listed?: string
  readonly writes?: readonly string[] | undefined
  readonly input: unknown
  /** Said as its denial, where the configuration does not let it pass. */
  readonly refusal?: ExternalAnswer
  /** Our own file tools leave out themselves what is ours. */
  readonly isShielded?: boolean
  readonly signal: AbortSignal
  readonly onStillWaiting: (seconds: number, approvalId: string) => void
}

/** What a call gave, and what of it the run's history counts. */
export interface Carried<Value> {
  readonly value: Value
  readonly outcome: CallOutcome
}

export type Guarded<Value> = Result<
  { readonly value: Value; readonly notices: readonly string[] },
  RuntimeProblem
>

/** Opens a call, carries it out, and gives its result back once that is written down. */
export async function guardedCall<Value>(
  adapter: Adapter,
  call: McpCall,
  carryOut: (open: OpenCall) => Promise<Carried<Value>>,
): Promise<Guarded<Value>> {
  const { from, server, tool, listed, writes, input, refusal, isShielded } = call
  const { signal, onStillWaiting } = call
  const run = namedRun(call.meta)
  if (!run.ok) return run
  const { project } = from
  const request = {
    ...runRefOf(from, run.value),
    tool,
    ...(server === undefined ? {} : { server }),
    ...(listed === undefined ? {} : { listed }),
    ...(writes === undefined ? {} : { writes }),
    input,
    ...(refusal === undefined ? {} : { refusal }),
    ...(isShielded === undefined ? {} : { isShielded }),
    ...(project === undefined ? {} : { project, workspace: project }),
  }
  // The id is ours: one that the client chose could be used twice, and count once.
  const waiting = { signal, onStillWaiting }
  const opened = await openCall(from.guard, adapter, from.caller, request, waiting)
  if (!opened.ok) return err(denialProblem(opened.error))
  return finished(from.guard, opened.value, carryOut)
}

async function finished<Value>(
  guard: Guard,
  open: OpenCall,
  carryOut: (open: OpenCall) => Promise<Carried<Value>>,
): Promise<Guarded<Value>> {
  let carried: Carried<Value>
  try {
    carried = await carryOut(open)
  } catch (fault) {
    // Whether it happened is not known where no answer came: then nothing is given back.
    const exit = fault instanceof UpstreamFault && fault.mayHaveRun ? null : 'failure'
    await open.finish({ bytes: 0, exit })
    if (fault instanceof UpstreamFault) return err(fault.toProblem())
    guard.onFault(fault)
    throw fault
  }
  const reported = await open.finish(carried.outcome)
  if (!reported.ok) return err(notRecorded)
  return ok({ value: carried.value, notices: [...open.notices, ...reported.value] })
}

/** The answer leaves only after its entry is durable (invariant 2). */
const notRecorded = problem(
  'internal',
  'The call was made, but its result could not be recorded, so it is not passed on.',
  { next: 'ask a person to look at the server before repeating the call.' },
)

function namedRun(meta: unknown): Result<string | undefined, RuntimeProblem> {
  const named = isJsonObject(meta) ? meta[runMetaKey] : undefined
  if (named === undefined || typeof named === 'string') return ok(named)
  return err(problem('usage', `"${runMetaKey}" must be the id of a run.`, { where: '_meta' }))
}
