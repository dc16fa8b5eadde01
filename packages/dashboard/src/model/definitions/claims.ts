import {
  Claim,
  type Counterexample,
  claimText,
  describeFor,
  type Program,
  type ProgramTable,
  type ProofAnswer,
  proverOf,
  standingClaims,
} from '@statewright/core/internal'
import { parse } from 'yaml'
import type { MarkName } from '../words/marks.ts'

/** A claim about every run of a definition, and what came of it. */
export interface ShownClaim {
  readonly name: string
  /** Nobody wrote it: it is asked of every definition. */
  readonly isStanding: boolean
  /** Null while it is looked for. */
  readonly answer: ProofAnswer | null
}

export interface ReadClaims {
  readonly claims: readonly Claim[]
  /** Why the text holds none. */
  readonly fault: string | null
}

const nothing: ReadClaims = { claims: [], fault: null }

/** Claims as a person pastes them: a scenario file, what stands under `claims`, or one of them. */
export function readClaims(text: string): ReadClaims {
  if (text.trim() === '') return nothing
  try {
    const claims = Claim.array().safeParse(listed(parse(text)))
    if (claims.success) return { claims: claims.data, fault: null }
    const [issue] = claims.error.issues
    return { ...nothing, fault: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` }
  } catch (error) {
    return { ...nothing, fault: error instanceof Error ? error.message : String(error) }
  }
}

function listed(value: unknown): unknown {
  if (Array.isArray(value)) return value
  const { claims } = Object(value)
  return claims ?? [value]
}

export function unanswered(claims: readonly Claim[]): ShownClaim[] {
  return [
    ...claims.map((claim) => ({ name: claimText(claim), isStanding: false, answer: null })),
    ...standingNames.map((one) => ({
      name: standingClaims[one],
      isStanding: true,
      answer: null,
    })),
  ]
}

// Its own keys.
const standingNames = Object.keys(standingClaims) as (keyof typeof standingClaims)[]

/** Answers them one by one, in the order of `unanswered`. */
export function* answers(
  program: Program,
  claims: readonly Claim[],
  programs: ProgramTable,
): Generator<ProofAnswer> {
  const prover = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/workspace', shell: { programs } }),
    claims,
  })
  for (const claim of claims) {
    const found = prover.prove(claim)
    yield found.ok ? found.value : { verdict: 'not_decided', situations: 0, why: found.error }
  }
  for (const one of standingNames) {
    for (const { answer } of prover.standing([one])) yield answer
  }
}

/** What a person reads beside a claim. */
export function answerWords(answer: ProofAnswer | null): {
  readonly mark: MarkName
  readonly tone: string
  readonly words: string
} {
  switch (answer?.verdict) {
    case undefined:
      return { mark: 'busy', tone: 'soft', words: 'looking' }
    case 'proved':
      return { mark: 'done', tone: 'good', words: 'proved' }
    case 'refuted':
      return { mark: 'no', tone: 'bad', words: `refuted${withWhy(answer.why)}` }
    case 'refuted_if':
      return { mark: 'no', tone: 'bad', words: `refuted if ${answer.conditions.join(' and ')}` }
    case 'not_decided':
      return { mark: 'ask', tone: 'wait', words: `not decided${withWhy(answer.why)}` }
  }
}

function withWhy(why: string | undefined): string {
  return why === undefined ? '' : `: ${why}`
}

/** A story that the simulator can play; one that hangs on conditions it cannot. */
export function storyOf(answer: ProofAnswer | null): Counterexample['moves'] | null {
  const moves = answer?.verdict === 'refuted' ? answer.counterexample?.moves : undefined
  return moves ?? null
}

/** The way of an answer that hangs on conditions, a line for each step. */
export function stepsIf(answer: ProofAnswer | null): string[] {
  if (answer?.verdict !== 'refuted_if') return []
  return answer.counterexample.steps.map((step) =>
    Object.entries(step)
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', '),
  )
}

/** What those that are proved take for granted, each once. */
export function assumedBy(claims: readonly ShownClaim[]): string[] {
  const proved = claims.flatMap(({ answer }) =>
    answer?.verdict === 'proved' ? answer.assumes : [],
  )
  return [...new Set(proved)]
}
