import {
  closeStreamGap,
  gapWake,
  newStreamOrder,
  type Ordered,
  type StreamEvent,
  type StreamOrder,
  takeStreamEvent,
} from '@statewright/core/internal'
import type { Clock } from '../../base/clock.ts'
import type { HarnessPart } from '../ports.ts'
import type { Timers } from './timers.ts'

export interface IntakeOptions {
  readonly clock: Clock
  readonly timers: Timers
  readonly sessionId: string
  readonly harness: string
  readonly provider: string | undefined
  readonly streamId: string
  readonly onEvent: (event: StreamEvent) => void
}

/** Puts the pieces of one stream into their envelopes and into order (SE-13). */
export class StreamIntake {
  readonly #options: IntakeOptions
  #order: StreamOrder = newStreamOrder
  #count = 0
  #stopTimer: () => void = () => {}
  #isClosed = false
  /** Whether the source has said how it ended, though it may wait for a missing piece. */
  hasEnd = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  take(part: HarnessPart): void {
    if (this.#isClosed) return
    const { clock, sessionId, harness, provider, streamId } = this.#options
    this.#count += 1
    if (part.type === 'completed' || part.type === 'error') this.hasEnd = true
    const event: StreamEvent = {
      schemaVersion: '1.0',
      eventId: clock.newId('evt'),
      sessionId,
      harness,
      ...(provider === undefined ? {} : { provider }),
      streamId,
      seq: part.seq ?? this.#count,
      timestampMs: clock.now(),
      type: part.type,
      payload: { ...part.payload },
    }
    this.#release(takeStreamEvent(this.#order, event, clock.now()))
  }

  close(): void {
    this.#isClosed = true
    this.#stopTimer()
  }

  #release({ order, released }: Ordered): void {
    this.#order = order
    for (const event of released) this.#options.onEvent(event)
    this.#stopTimer()
    const wake = gapWake(order)
    if (wake === null || this.#isClosed) return
    const { clock, timers } = this.#options
    this.#stopTimer = timers.set(
      () => this.#release(closeStreamGap(this.#order, clock.now())),
      wake - clock.now(),
    )
  }
}
