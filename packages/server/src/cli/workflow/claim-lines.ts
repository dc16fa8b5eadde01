import type { Counterexample, ProofAnswer } from '@statewright/core/internal'
import { printable, usesColour } from '../output/report.ts'

/** A claim and what the search says of it. */
export interface ClaimAnswer {
  readonly name: string
  /** Of a claim that nobody wrote. */
  readonly standing?: string
  readonly line: number
  readonly answer: ProofAnswer
}

const colours = { proved: 32, refuted: 31, refuted_if: 31, not_decided: 33 } as const

/** The verdict in words, in colour where that helps. */
function verdictWord(answer: ProofAnswer): string {
  const { verdict } = answer
  const word = verdict.replace('_', ' ')
  return usesColour(process.stdout) ? `\u001b[${colours[verdict]}m${word}\u001b[0m` : word
}

/** One line about a claim: what, and why or how far it was looked. */
export function claimLine(name: string, answer: ProofAnswer): string {
  return `${verdictWord(answer)}  ${printable(name)}${printable(detail(answer))}\n`
}

function detail(answer: ProofAnswer): string {
  switch (answer.verdict) {
    case 'proved':
      return ` (${situations(answer.situations)})`
    case 'not_decided':
      return `: ${answer.why}`
    case 'refuted_if':
      return ` when ${answer.conditions.join(' and ')}`
    default:
      return answer.why === undefined ? '' : `: ${answer.why}`
  }
}

function situations(count: number): string {
  return `${count.toLocaleString('en-US')} situation${count === 1 ? '' : 's'}`
}

/** The shortest way to what was claimed never to happen. */
export function counterexampleOf(answer: ProofAnswer): Counterexample | undefined {
  return 'counterexample' in answer ? answer.counterexample : undefined
}

/** The same for programs. */
export function claimJson({ name, standing, line, answer }: ClaimAnswer): object {
  const { counterexample, ...rest } = { counterexample: undefined, ...answer }
  const steps = counterexample === undefined ? {} : { steps: counterexample.steps }
  return { name, ...(standing === undefined ? { line } : { standing }), ...rest, ...steps }
}

/** 0 where all is proved, 3 where something is refuted, 5 where something is only not decided. */
export function exitOf(answers: readonly ProofAnswer[]): 0 | 3 | 5 {
  if (answers.some(({ verdict }) => verdict === 'refuted' || verdict === 'refuted_if')) return 3
  return answers.some(({ verdict }) => verdict === 'not_decided') ? 5 : 0
}

/** How many of each, for people. */
export function countLine(answers: readonly ProofAnswer[]): string {
  const count = (...verdicts: readonly ProofAnswer['verdict'][]) =>
    answers.filter(({ verdict }) => verdicts.includes(verdict)).length
  const refuted = count('refuted', 'refuted_if')
  return `${count('proved')} proved, ${refuted} refuted, ${count('not_decided')} not decided.\n`
}
