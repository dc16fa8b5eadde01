/**
 * Tells what came back from what came from outside. An editor tells its text to the page, and the
 * page gives it back a moment later; by then more may have been typed, and taking the older text
 * would lose it.
 */
export class OwnEchoes {
  #sent: string[] = []

  tell(text: string): void {
    this.#sent.push(text)
  }

  /** Whether the text is one that we told; those before it will not come back any more. */
  isEcho(text: string): boolean {
    const at = this.#sent.indexOf(text)
    if (at >= 0) this.#sent = this.#sent.slice(at + 1)
    else this.#sent = []
    return at >= 0
  }
}
