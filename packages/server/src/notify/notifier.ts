import type { Clock } from '../base/clock.ts'
import type { DueDelivery, Store } from '../store/store.ts'
import { type Notice, noticeOf } from './notice.ts'
import { runCommand } from './run-command.ts'
import { postWebhook, type Webhook } from './webhook.ts'

/** How people are told; read again for each notice. */
export interface NotifySettings {
  readonly webhook?: Webhook
  readonly command?: readonly string[]
  /** Where it is started; where the server was when left out. */
  readonly folder?: string
}

export interface NotifierOptions {
  readonly store: Pick<Store, 'approvals' | 'deliveries' | 'runs'>
  readonly clock: Clock
  readonly settings: () => NotifySettings
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where people reach the server, without a slash at the end. */
  readonly url: string
  readonly onFailed: (facts: {
    channel: string
    approval: string
    tries: number
    why: string
  }) => void
  readonly everyMs?: number
}

type Channel = 'webhook' | 'command'

/** One try may take so long; anyone who took it is then taken for dead. */
const tryWithinMs = 10_000
const firstWaitMs = 11_000
const longestWaitMs = 5 * 60_000
const atOnce = 20
/** A command that does not work will not work by being started again all day. */
const maxTries: Readonly<Record<Channel, number>> = {
  webhook: Number.POSITIVE_INFINITY,
  command: 3,
}

/**
 * Tells people of approvals that wait. What is to be told follows from the store alone, so that
 * neither a stop nor a dead webhook loses a notice, and of several nodes one tells it.
 */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #timer: NodeJS.Timeout
  readonly #stopping = new AbortController()
  #telling: Promise<void> | undefined
  #again = false

  constructor(options: NotifierOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.wake(), options.everyMs ?? 2000)
    this.#timer.unref()
    this.wake()
  }

  /** Looks at once, or once more after the look that is under way. */
  wake(): void {
    if (this.#stopping.signal.aborted) return
    if (this.#telling !== undefined) {
      this.#again = true
      return
    }
    this.#telling = this.#tellAll().finally(() => {
      this.#telling = undefined
      if (this.#again) {
        this.#again = false
        this.wake()
      }
    })
  }

  /** Resolves when no look is under way. */
  async idle(): Promise<void> {
    while (this.#telling !== undefined) await this.#telling
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#telling
  }

  async #tellAll(): Promise<void> {
    const { settings, store, clock } = this.#options
    const channels: Channel[] = []
    const { webhook, command } = settings()
    if (webhook !== undefined) channels.push('webhook')
    if (command !== undefined) channels.push('command')
    for (const channel of channels) {
      try {
        const due = await store.deliveries.due(channel, clock.now(), atOnce)
        await Promise.all(due.map((one) => this.#tell(channel, one)))
      } catch (fault) {
        this.#failed(channel, '', 0, fault)
      }
    }
  }

  async #tell(channel: Channel, { approval, tries }: DueDelivery): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const { store, clock, url } = this.#options
    const { approvalId } = approval
    const wait = Math.min(firstWaitMs * 2 ** Math.min(tries, 20), longestWaitMs)
    const nextAt = clock.now() + wait
    if (!(await store.deliveries.take({ approvalId, channel, tries, nextAt }))) return
    const run = (await store.runs.load(approval.runId))?.row
    try {
      await this.#send(channel, noticeOf(approval, run, url))
    } catch (fault) {
      this.#failed(channel, approvalId, tries + 1, fault)
      if (tries + 1 < maxTries[channel]) return
    }
    await store.deliveries.finish(approvalId, channel, clock.now())
  }

  async #send(channel: Channel, notice: Notice): Promise<void> {
    const { settings, clock, environment } = this.#options
    const { webhook, command, folder } = settings()
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(tryWithinMs)])
    if (channel === 'webhook' && webhook !== undefined) {
      await postWebhook(webhook, notice, { now: clock.now(), signal })
    } else if (channel === 'command' && command !== undefined) {
      await runCommand(command, notice, { environment, signal, folder })
    }
  }

  #failed(channel: Channel, approval: string, tries: number, fault: unknown): void {
    // A stop is no fault: it is told after the next start.
    if (this.#stopping.signal.aborted) return
    const why = fault instanceof Error ? fault.message : String(fault)
    this.#options.onFailed({ channel, approval, tries, why })
  }
}
