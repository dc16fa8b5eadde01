import { setImmediate } from 'node:timers/promises'
import type { AgentMessage, JsonObject, StreamEvent } from '@statewright/core/internal'
import { AgentStartFault } from '../children/agent-process.ts'
import type {
  AgentCallGuard,
  Harness,
  HarnessContext,
  HarnessPart,
  HarnessSession,
} from '../ports.ts'
import type { BrokerOptions } from './broker-options.ts'
import type { RequestRest } from './request-rest.ts'
import { StreamIntake } from './stream-intake.ts'

export interface HarnessWorkOptions {
  readonly broker: BrokerOptions
  readonly sessionId: string
  readonly projectPath: string
  readonly options: JsonObject
  readonly runId: string | null
  readonly harness: Harness
  readonly calls: AgentCallGuard
  readonly connect: HarnessContext['connect']
  readonly room: () => Promise<void> | undefined
  readonly onReady: () => void
  readonly onExited: (code: number | null, message?: string) => void
  readonly onNotStarted: (message: string) => void
  readonly onEvent: (event: StreamEvent) => void
}

export interface Sending {
  readonly streamId: string
  readonly requestId: string
  readonly attempt: number
  readonly messages: readonly AgentMessage[]
  readonly answers: number
  readonly isSummary: boolean
  /** Looked up when the request is sent: a brief of a moment ago may be wrong. */
  readonly rest: () => Promise<RequestRest>
}

/** The harness of one session: started when needed, asked one thing at a time, and ended. */
export class HarnessWork {
  readonly #options: HarnessWorkOptions
  #session: Promise<HarnessSession> | undefined
  #request: { readonly abort: AbortController; readonly intake: StreamIntake } | undefined
  #isLeaving = false
  /** Ends what hangs at its start: it has no session yet by which it could be ended. */
  readonly #unwanted = new AbortController()

  constructor(options: HarnessWorkOptions) {
    this.#options = options
  }

  /** Starts it for a new session, and tells when it is ready or why it is not. */
  async start(): Promise<void> {
    const { harness, onReady, onNotStarted } = this.#options
    try {
      await this.#ensure()
    } catch (fault) {
      onNotStarted(messageOf(fault))
      return
    }
    if (!harness.hasReadiness) onReady()
  }

  async send(sending: Sending): Promise<void> {
    const { rest: lookUp, ...request } = sending
    const { streamId } = request
    const { broker, sessionId, harness, onEvent } = this.#options
    this.cancel()
    const abort = new AbortController()
    const intake = new StreamIntake({
      clock: broker.runtime.clock,
      timers: broker.timers,
      sessionId,
      harness: harness.name,
      provider: harness.provider,
      streamId,
      onEvent,
    })
    this.#request = { abort, intake }
    const emit = (part: HarnessPart) => intake.take(part)
    const session = await this.#ensure().catch((fault: unknown) => {
      if (!abort.signal.aborted) this.#options.onNotStarted(messageOf(fault))
    })
    if (session === undefined) return
    try {
      const { closed, capability: _, contextTokens: __, ...rest } = await lookUp()
      if (abort.signal.aborted) return
      if (closed !== undefined) {
        emit({ type: 'error', payload: { ...closed, retryable: false } })
        return
      }
      // A summary is made of words alone: tools and brief belong to the work.
      const plain = request.isSummary ? { tools: [], brief: null } : {}
      const { room } = this.#options
      await session.send({ ...request, ...rest, ...plain, room }, emit, abort.signal)
      if (!intake.hasEnd)
        emit(errorPart('stream_ended', 'The stream ended before its answer was complete.'))
    } catch (fault) {
      if (fault instanceof AgentStartFault) this.#options.onNotStarted(fault.message)
      else if (!intake.hasEnd) emit(errorPart('harness_error', messageOf(fault)))
    }
  }

  /** Ends the request under way, if there is one; nothing of it is told any more. */
  cancel(): void {
    this.#request?.intake.close()
    this.#request?.abort.abort()
    this.#request = undefined
  }

  /** Asks it to leave; tells when it has. */
  async stop(): Promise<void> {
    this.#isLeaving = true
    this.cancel()
    const session = await this.#started()
    let code: number | null = 0
    try {
      if (session !== undefined) code = await session.stop()
    } catch {
      code = null
    }
    this.#options.onExited(code)
  }

  async kill(): Promise<void> {
    this.#isLeaving = true
    this.cancel()
    try {
      await (await this.#started())?.kill()
    } catch (fault) {
      this.#options.broker.observer.fault(this.#options.sessionId, fault)
    }
    this.#options.onExited(null)
  }

  /** Ends everything without telling anybody: the server stops. */
  async close(): Promise<void> {
    this.#isLeaving = true
    this.cancel()
    const session = await this.#started()
    await session?.kill().catch(() => {})
  }

  /** The session of a harness that has one; a start under way is given up. */
  async #started(): Promise<HarnessSession | undefined> {
    const starting = this.#session?.catch(() => undefined)
    const session = await Promise.race([starting, setImmediate(undefined)])
    if (session !== undefined) return session
    this.#unwanted.abort()
    // One that came through all the same is not wanted either.
    void starting?.then((late) => late?.kill()).catch(() => {})
    return undefined
  }

  #ensure(): Promise<HarnessSession> {
    if (this.#session !== undefined) return this.#session
    const { harness, sessionId, projectPath, options, runId, calls, connect } = this.#options
    const { onReady } = this.#options
    const starting = harness.start({
      sessionId,
      projectPath,
      options,
      runId,
      calls,
      connect,
      unwanted: this.#unwanted.signal,
      ready: () => onReady(),
      exited: (code, message) => {
        if (this.#isLeaving || this.#session !== starting) return
        this.#session = undefined
        this.cancel()
        this.#options.onExited(code, message)
      },
    })
    this.#session = starting
    // The next request tries again; anyone who waits for this one is told by the rejection.
    starting.catch(() => {
      if (this.#session === starting) this.#session = undefined
    })
    return starting
  }
}

function errorPart(code: string, message: string): HarnessPart {
  return { type: 'error', payload: { code, message } }
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}
