import { ProtocolError } from '@modelcontextprotocol/server'
import { type ExternalAnswer, err, isJsonObject, own, phrase } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { Adapter } from '../../guard/guarded-call.ts'
import { UpstreamFault, UpstreamRefusal } from '../../upstream/problem.ts'
import {
  mayAsk,
  type QuestionKind,
  type QuestionRules,
  questionKind,
} from '../../upstream/questions.ts'
import type { JsonParams, Upstream } from '../../upstream/upstream.ts'
import { sizeOf } from './cut-result.ts'
import { type Guarded, guardedCall, type McpCall } from './guarded-call.ts'

/** The call in the middle of which a server asks. */
export interface AskingCall {
  readonly upstream: Pick<Upstream, 'name' | 'spec'>
  readonly adapter: Adapter
  readonly call: Pick<McpCall, 'from' | 'meta' | 'signal' | 'onStillWaiting'>
}

/** Each is written down: a server must not fill a history with them. */
const limits = { questions: 30, bytes: 1024 * 1024 } as const

/**
 * Judges what a server asks in the middle of one call (SH-18d): by its entry in the configuration,
 * and then like a tool of that server, named `sampling` or `elicitation`.
 */
export class Questions {
  readonly #asking: AskingCall
  #count = 0
  #isOver = false

  constructor(asking: AskingCall) {
    this.#asking = asking
  }

  /** The call has its result: what is asked from now on is for nobody. */
  end(): void {
    this.#isOver = true
  }

  /**
   * Puts a question that waits for its answer; whatever speaks against it is told to the server.
   * Without `send` there is no way to the client, and only what is refused is written down.
   */
  async put(
    method: string,
    params: JsonParams,
    send: ((params: JsonParams) => Promise<JsonParams>) | undefined,
  ): Promise<JsonParams> {
    const { name, spec } = this.#asking.upstream
    const kind = questionKind(method)
    if (kind === undefined) throw new ProtocolError(-32_601, `${method.slice(0, 100)} is unknown`)
    if (send === undefined && mayAsk(spec, kind)) throw new ProtocolError(-32_601, notInMidCall)
    if (kind === 'roots') return send?.(params) ?? {}
    const done = await this.#judge(kind, params, async () => {
      if (this.#isOver) throw new ProtocolError(-32_601, tooLate)
      return send?.(shownQuestion(kind, params, name)) ?? {}
    })
    if (done.ok) return answered(done.value.value)
    // What is allowed instead is no affair of the server's.
    const { code, message } = done.error
    const why = code === 'question_refused' ? message : `Statewright refused it (${code}).`
    throw new ProtocolError(refusedByClient, why, { code })
  }

  /** The same for questions that travel in a result, which is held back where one is refused. */
  async check(result: JsonParams): Promise<JsonParams> {
    const requests = own(result, 'inputRequests')
    if (requests === undefined) return result
    if (!isJsonObject(requests)) throw this.#refused(unreadable)
    const { name } = this.#asking.upstream
    const checked: [string, unknown][] = []
    for (const [key, request] of Object.entries(requests)) {
      if (!isJsonObject(request)) throw this.#refused(unreadable)
      const kind = questionKind(request.method)
      if (kind === undefined) throw this.#refused(unreadable)
      const params = isJsonObject(request.params) ? request.params : {}
      if (kind !== 'roots') await this.#mayPut(kind, params)
      const question =
        kind === 'roots' ? request : { ...request, params: shownQuestion(kind, params, name) }
      checked.push([key, question])
    }
    return { ...result, inputRequests: Object.fromEntries(checked) }
  }

  /** An error that sends the person to an address, as the old era has it. */
  async checkError(fault: unknown): Promise<unknown> {
    if (!(fault instanceof UpstreamRefusal) || fault.rpcCode !== urlRequired) return fault
    const params = isJsonObject(fault.data) ? fault.data : {}
    await this.#mayPut('elicitation', params)
    return fault
  }

  async #mayPut(kind: QuestionKind, params: JsonParams): Promise<void> {
    const done = await this.#judge(kind, params, async () => ({}))
    if (!done.ok) throw this.#refused(done.error)
  }

  async #judge(
    kind: QuestionKind,
    input: JsonParams,
    answer: () => Promise<JsonParams>,
  ): Promise<Guarded<Answer>> {
    const { upstream, adapter, call } = this.#asking
    const { name: server, spec } = upstream
    if (++this.#count > limits.questions) return err(tooMany)
    if (sizeOf(input) > limits.bytes) return err(tooLarge)
    const refusal = mayAsk(spec, kind) ? undefined : refusalOf(server, kind)
    const question = { ...call, server, tool: kind, input }
    const judged = refusal === undefined ? question : { ...question, refusal }
    return guardedCall<Answer>(adapter, judged, async () => {
      // Also where nothing is denied: the configuration is no rule of a run.
      if (refusal !== undefined) throw this.#refused(notAllowed)
      return answer().then(
        (result) => ({ value: { result }, outcome: { bytes: sizeOf(result), exit: 'success' } }),
        // A client or its person that says no is no fault of ours.
        (fault) => ({ value: { fault }, outcome: { bytes: 0, exit: 'failure' } }),
      )
    })
  }

  #refused({ code, message }: RuntimeProblem): UpstreamFault {
    const { name } = this.#asking.upstream
    const about = `The MCP server ${name} asked a question during the call: ${message}`
    return new UpstreamFault('question_refused', about, {
      next: `do without it (${code}), or ask a person to allow it in the configuration.`,
      mayHaveRun: true,
    })
  }
}

type Answer = { readonly result: JsonParams } | { readonly fault: unknown }

function answered(answer: Answer): JsonParams {
  if ('fault' in answer) throw answer.fault
  return answer.result
}

const tooLate = 'the call in which it asked has ended'
const notInMidCall =
  'the client uses a newer MCP version, in which servers cannot ask during a call'

/** What a client answers with where its person says no. */
const refusedByClient = -1
const urlRequired = -32_042

const unreadable = problem('question_refused', 'Its question cannot be read.')
const notAllowed = problem('question_refused', 'The configuration does not allow it.')
const tooLarge = problem('question_refused', 'Its question is larger than 1 MiB.')
const tooMany = problem('question_refused', 'It asked too many questions in one call.')

function refusalOf(server: string, kind: QuestionKind): ExternalAnswer {
  const message = phrase('question_refused', { server, kind })
  const reason = { code: 'question_refused', message, path: '' } as const
  return { source: `upstreams.${server}.${kind}`, kind: 'deny', reasons: [reason] }
}

/** A client shows the question under our name: a person must see who wants to know. */
function shownQuestion(kind: QuestionKind, params: JsonParams, server: string): JsonParams {
  if (kind === 'sampling') return params
  const { message } = params
  const words = typeof message === 'string' ? message : ''
  return { ...params, message: `${server} asks (not Statewright): ${words}` }
}

/** Answers of a client to what may be asked; the others were never asked for. */
export function allowedAnswers(rules: QuestionRules, answers: JsonParams): JsonParams {
  const isAllowed = ([, answer]: [string, unknown]) => mayAsk(rules, kindOfAnswer(answer))
  return Object.fromEntries(Object.entries(answers).filter(isAllowed))
}

function kindOfAnswer(answer: unknown): QuestionKind | 'roots' {
  if (!isJsonObject(answer)) return 'sampling'
  if (own(answer, 'action') !== undefined) return 'elicitation'
  return own(answer, 'roots') === undefined ? 'sampling' : 'roots'
}
