import type { CounterUsage, RateTake } from '../policy/usage.ts'

/** When calls of a rate were let through, oldest first. Changed in place: it may hold very many. */
export class RateWindow {
  #times: number[] = []
  /** Those before it have left the window. */
  #first = 0

  usage({ maxCalls, windowMs }: RateTake, at: number): CounterUsage {
    this.#leave(windowMs, at)
    const used = this.#times.length - this.#first
    const free = used < maxCalls
    const leaver = free ? undefined : this.#times[this.#times.length - maxCalls]
    return { used, max: maxCalls, resetsAt: leaver === undefined ? null : leaver + windowMs, free }
  }

  add({ windowMs }: RateTake, at: number): void {
    this.#leave(windowMs, at)
    this.#times.push(Math.max(at, this.#times.at(-1) ?? at))
  }

  /** A clock that was set back stands still (PO-5). */
  #leave(windowMs: number, at: number): void {
    const start = Math.max(at, this.#times.at(-1) ?? at) - windowMs
    while (this.#first < this.#times.length && (this.#times[this.#first] ?? 0) <= start) {
      this.#first++
    }
    if (this.#first < 1000 || this.#first < this.#times.length / 2) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
  }
}
