import {
  type GuardedRun,
  StatewrightError,
  type ToolDecision,
  type ToolRequest,
} from './statewright.ts'

export interface GuardOptions {
  /** How long a call may wait for a person; 0 denies at once (default: five minutes). */
  readonly waitMs?: number
  /** Branch of a fork that these tools act in. */
  readonly branch?: string
}

/** A call was not let through. Its message is written for the model that made the call. */
export class ToolDenied extends StatewrightError {
  readonly decision: ToolDecision

  constructor(decision: ToolDecision) {
    super(decision.code ?? 'internal', decision.text)
    this.name = 'ToolDenied'
    this.decision = decision
  }
}

const defaultWaitMs = 5 * 60_000

/** What the AI SDK gives a tool that it runs, as far as we look at it. */
interface CallOptions {
  readonly abortSignal?: AbortSignal | undefined
}

type Execute = (input: unknown, call: CallOptions) => unknown

/** The same names and schemas as before; only what runs them was put in between. */
export type GuardedTools<Tools> = { -readonly [Name in keyof Tools]: Tools[Name] }

/**
 * The same tools for the AI SDK (5, 6 or 7), each judged before it runs. A denial is thrown, which
 * the SDK hands to the model as the tool's error: it reads what is allowed and how to go on.
 *
 * @example
 * import { createStatewright, guardTools } from 'statewright/sdk'
 *
 * const statewright = await createStatewright()
 * const definition = {
 *   id: 'look',
 *   initial: 'reading',
 *   states: {
 *     reading: { allowed_tools: ['read'], on: { DONE: 'done' } },
 *     done: { type: 'final' },
 *   },
 * }
 * const run = await statewright.start({ definition })
 * const tools = guardTools({ write: { execute: async (text: string) => text } }, run)
 * await tools.write.execute('x').catch((fault) => console.log(fault.code)) // tool_not_allowed
 * await statewright.close()
 */
export function guardTools<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  run: GuardedRun,
  options: GuardOptions = {},
): GuardedTools<Tools> {
  const guarded: GuardedTools<Tools> = { ...tools }
  for (const name in guarded) guarded[name] = guardTool(name, guarded[name], run, options)
  return guarded
}

function guardTool<Tool extends object>(
  name: string,
  tool: Tool,
  run: GuardedRun,
  options: GuardOptions,
): Tool {
  // A tool without it runs elsewhere: what we cannot stop we must not seem to guard.
  if (!('execute' in tool) || typeof tool.execute !== 'function') {
    throw new StatewrightError(
      'usage',
      `The tool ${name} has no "execute" function, so it cannot be guarded.`,
    )
  }
  // The SDK calls it with the input that the tool's own schema let through, and with its options.
  const execute = tool.execute as Execute
  const branch = options.branch === undefined ? {} : { branch: options.branch }
  const judged = async (input: unknown, call: CallOptions = {}): Promise<unknown> => {
    // The id is ours: one that comes from a model could be used twice, and count once.
    const request = { tool: name, input, ...branch }
    const { callId } = await letThrough(run, request, options.waitMs ?? defaultWaitMs, call)
    let output: unknown
    try {
      output = await lastOf(execute(input, call))
    } catch (fault) {
      await run.finish({ callId, exit: 'failure', ...branch })
      throw fault
    }
    const { notices } = await run.finish({
      callId,
      exit: 'success',
      bytes: Buffer.byteLength(textOf(output)),
      output: textOf(output),
      ...branch,
    })
    return notices.length === 0 ? output : { output, notices }
  }
  return { ...tool, execute: judged }
}

/** Judges a call; where a person is asked, waits for the answer and asks again. */
async function letThrough(
  run: GuardedRun,
  request: ToolRequest,
  waitMs: number,
  { abortSignal }: CallOptions,
): Promise<ToolDecision> {
  const decision = await run.check(request)
  if (decision.decision === 'allow') return decision
  const { approvalId } = decision
  if (decision.decision === 'deny' || approvalId === undefined) throw new ToolDenied(decision)
  const signal = abortSignal === undefined ? {} : { signal: abortSignal }
  const status = await run.waitForApproval(approvalId, { timeoutMs: waitMs, ...signal })
  if (status === 'waiting') throw new ToolDenied(decision)
  // The approval is for these very arguments and counts once.
  const second = await run.check(request)
  if (second.decision !== 'allow') throw new ToolDenied(second)
  return second
}

/** A tool may stream what it has so far; the last is its result. */
async function lastOf(output: unknown): Promise<unknown> {
  if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) {
    return output
  }
  let last: unknown
  // It has the one method that makes it so.
  for await (const part of output as AsyncIterable<unknown>) last = part
  return last
}

function textOf(output: unknown): string {
  if (output === undefined) return ''
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
