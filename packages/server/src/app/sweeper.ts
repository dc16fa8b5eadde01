import type { Log } from '../observe/logger.ts'
import { expireApprovals } from '../runtime/runs/approvals.ts'
import type { Runtime } from '../runtime/runtime.ts'

const everyMs = 1000
const quietTicks = 60

/** Ends approvals that nobody answered in time, and looks after the hooks, every second. */
export class Sweeper {
  readonly #runtime: Runtime
  readonly #log: Log
  readonly #look: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> | undefined
  #failures = 0

  constructor(runtime: Runtime, log: Log, look: () => Promise<void>) {
    this.#runtime = runtime
    this.#log = log
    this.#look = look
    this.#timer = setInterval(() => this.#tick(), everyMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }

  #tick(): void {
    // A store that hangs must not be asked again and again.
    if (this.#sweeping !== undefined) return
    this.#sweeping = this.#sweep().finally(() => {
      this.#sweeping = undefined
    })
  }

  async #sweep(): Promise<void> {
    try {
      await expireApprovals(this.#runtime)
      await this.#look()
      this.#failures = 0
    } catch (fault) {
      if (this.#failures % quietTicks === 0) {
        this.#log.error({ err: fault }, 'expiring approvals or checking hooks failed')
      }
      this.#failures += 1
    }
  }
}
