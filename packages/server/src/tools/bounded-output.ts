/**
 * Keeps the beginning and the end of what a child prints, in bounded memory however much it prints.
 * The end matters most: errors stand there.
 */
export class BoundedOutput {
  readonly #half: number
  readonly #head: Buffer[] = []
  readonly #tail: Buffer[] = []
  #headBytes = 0
  #tailBytes = 0
  #allBytes = 0

  constructor(maxBytes: number) {
    this.#half = Math.max(1, Math.floor(maxBytes / 2))
  }

  get bytes(): number {
    return this.#allBytes
  }

  add(chunk: Buffer): void {
    this.#allBytes += chunk.length
    const room = this.#half - this.#headBytes
    const first = chunk.subarray(0, room)
    // Copies, since a small piece would keep the whole buffer that it was cut from.
    if (first.length > 0) this.#head.push(Buffer.from(first))
    this.#headBytes += first.length
    const rest = chunk.subarray(first.length)
    if (rest.length === 0) return
    this.#tail.push(Buffer.from(rest.subarray(-this.#half)))
    this.#tailBytes += Math.min(rest.length, this.#half)
    for (let oldest = this.#tail[0]; oldest !== undefined; oldest = this.#tail[0]) {
      if (this.#tailBytes - oldest.length < this.#half) break
      this.#tail.shift()
      this.#tailBytes -= oldest.length
    }
  }

  text(): string {
    const tail = Buffer.concat(this.#tail).subarray(-this.#half)
    const left = this.#allBytes - this.#headBytes - tail.length
    const head = Buffer.concat(this.#head)
    if (left === 0) return clean(Buffer.concat([head, tail]))
    return `${clean(head)}\n[${left} bytes left out]\n${clean(tail)}`
  }
}

/** A NUL in a text is refused by stores and by models. */
function clean(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '�')
}
