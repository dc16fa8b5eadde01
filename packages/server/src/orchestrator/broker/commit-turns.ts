/**
 * Gives sessions their turns to store what came in, a few at a time. Without it a crowd of busy
 * sessions would keep the thread to itself, and nobody else would be answered.
 */
export class CommitTurns {
  #waiting: (() => void)[] = []
  #isSet = false
  readonly #sliceMs: number

  constructor(sliceMs = 8) {
    this.#sliceMs = sliceMs
  }

  add(work: () => void): void {
    this.#waiting.push(work)
    if (this.#isSet) return
    this.#isSet = true
    // Between two of these the event loop looks at its sockets.
    setImmediate(() => this.#run())
  }

  #run(): void {
    const end = performance.now() + this.#sliceMs
    const works = this.#waiting
    this.#waiting = []
    let done = 0
    for (const work of works) {
      work()
      done += 1
      if (performance.now() >= end) break
    }
    // Those that are left come first, whatever was added meanwhile.
    this.#waiting = [...works.slice(done), ...this.#waiting]
    this.#isSet = this.#waiting.length > 0
    if (this.#isSet) setImmediate(() => this.#run())
  }
}
