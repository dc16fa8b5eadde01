import type { Claim, ProofAnswer } from '@statewright/core/internal'
import { answers } from '../../model/definitions/claims.ts'
import { configuredPrograms, readText } from '../../model/simulator/play.ts'

/** What a page asks to be proved. */
export interface ProveRequest {
  readonly text: string
  readonly claims: readonly Claim[]
  readonly settings: Readonly<Record<string, unknown>>
}

/** The answer to one claim, by its place in the list. */
export interface ProveReply {
  readonly index: number
  readonly answer: ProofAnswer
}

// A thread of its own: a search may take seconds, in which nobody could type.
self.addEventListener('message', ({ data }: MessageEvent<ProveRequest>) => {
  const { program } = readText(data.text)
  if (program === null) return
  let index = 0
  for (const answer of answers(program, data.claims, configuredPrograms(data.settings))) {
    const reply: ProveReply = { index, answer }
    self.postMessage(reply)
    index++
  }
})
