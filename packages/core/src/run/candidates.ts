import type { Code } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { PhraseName } from '../base/text/texts.ts'
import type { Machine, MachineCandidate, MoveTransition } from '../machine/machine.ts'
import type { GuardFacts } from './condition-values.ts'
import type { GuardReading } from './entries.ts'
import { readGuard } from './guards.ts'
import type { Frame } from './snapshot.ts'

export type Choice =
  | {
      readonly ok: true
      readonly index: number
      readonly candidate: MachineCandidate
      readonly guards: readonly GuardReading[]
      /** A person must confirm, although every guard passes. */
      readonly needsPerson: boolean
    }
  | {
      readonly ok: false
      readonly code: Code
      readonly message: Phrase
      readonly guards: readonly GuardReading[]
    }

const noGuards: readonly GuardReading[] = []

/** The first candidate whose guards all pass, or why there is none (WF-19). */
export function chooseCandidate(
  transition: MoveTransition,
  machine: Machine,
  frame: Frame,
  facts: GuardFacts,
): Choice {
  const seen: GuardReading[] = []
  for (const [index, candidate] of transition.candidates.entries()) {
    if (candidate.guards.length === 0) {
      return {
        ok: true,
        index,
        candidate,
        guards: seen.length ? seen : noGuards,
        needsPerson: false,
      }
    }
    const read = readAll(candidate, machine, frame, facts)
    seen.push(...read.guards)
    if (read.passed) {
      return { ok: true, index, candidate, guards: seen, needsPerson: read.needsPerson }
    }
  }
  return refusedBy(transition, seen)
}

/** Reads one candidate again, as when an approval comes (WF-22). */
export function readAll(
  candidate: MachineCandidate,
  machine: Machine,
  frame: Frame,
  facts: GuardFacts,
): { guards: readonly GuardReading[]; passed: boolean; needsPerson: boolean } {
  const results = candidate.guards.map((guard) => readGuard(guard, machine, frame, facts))
  return {
    guards: results.map((result) => result.reading),
    passed: results.every((result) => result.reading.passed),
    needsPerson: results.some((result) => result.needsPerson),
  }
}

export function refusedBy(
  transition: MoveTransition,
  guards: readonly GuardReading[],
): Extract<Choice, { ok: false }> {
  const failed = guards.filter((guard) => !guard.passed)
  const needs = failed.map(({ guard, wants, saw }) => phrase('guard_needs', { guard, wants, saw }))
  const isEvidence = failed.length > 0 && failed.every((guard) => wantsEvidence(guard))
  const code = transition.isList ? 'no_candidate' : isEvidence ? 'evidence_missing' : 'guard_failed'
  const message = transition.isList
    ? phrase('no_candidate', { needs })
    : phrase('guard_failed', { needs })
  return { ok: false, code, message, guards }
}

function wantsEvidence({ wants }: GuardReading): boolean {
  return typeof wants === 'object' && evidencePhrases.has(wants.phrase)
}

const evidencePhrases: ReadonlySet<string> = new Set([
  'want_evidence',
  'want_command',
  'want_call',
] satisfies readonly PhraseName[])
