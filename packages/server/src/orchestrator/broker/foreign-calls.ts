import { finishCall } from '../../runtime/change-run.ts'
import type { HarnessContext } from '../ports.ts'
import { type Judged, type JudgeScene, judgeCall } from './judge.ts'
import type { SessionObserver } from './parts.ts'

type ForeignCall = Parameters<HarnessContext['judge']>[0]
type ForeignResult = Parameters<HarnessContext['finished']>[0]

/**
 * The calls of an agent with tools of its own: judged before they run, and their results told to
 * the run that judged them, since limits, interrupts and evidence are made of results (SE-11).
 */
export class ForeignCalls {
  readonly #scene: JudgeScene
  readonly #observer: SessionObserver
  readonly #costTold: () => Promise<void>
  readonly #open = new Map<string, Judged>()

  constructor(scene: JudgeScene, observer: SessionObserver, costTold: () => Promise<void>) {
    this.#scene = scene
    this.#observer = observer
    this.#costTold = costTold
  }

  async judge(call: ForeignCall): Promise<Judged> {
    await this.#costTold()
    const judged = await judgeCall(this.#scene, `${this.#scene.sessionId}:${call.callId}`, call)
    if (judged.isAllowed && judged.runId !== null) this.#open.set(call.callId, judged)
    return judged
  }

  /** What the model must hear of it. A result of what was not let through counts for nothing. */
  async finished({ callId, bytes, exit, durationMs }: ForeignResult): Promise<readonly string[]> {
    const { runtime, caller, sessionId } = this.#scene
    const judged = this.#open.get(callId)
    if (judged === undefined || judged.runId === null) return []
    this.#open.delete(callId)
    try {
      const told = await finishCall(runtime, caller, {
        run: judged.runId,
        callId: judged.callId,
        bytes,
        exit,
        // By the program that we started, over a door of its own: not by the model (WF-31).
        source: 'observed',
        ...(durationMs === undefined ? {} : { durationMs }),
      })
      if (!told.ok || told.value.answer.type !== 'recorded') return judged.notices
      return [...judged.notices, ...told.value.answer.notices]
    } catch (fault) {
      // The run takes the caller's next call as the sign that this one was done.
      this.#observer.fault(sessionId, fault)
      return judged.notices
    }
  }

  /** A new request begins: what was open before it was broken off and has no result. */
  forget(): void {
    this.#open.clear()
  }
}
