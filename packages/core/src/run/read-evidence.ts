import { own } from '../base/own.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { Machine, MachineEvidence, MachineGuard } from '../machine/machine.ts'
import type { GuardReading } from './entries.ts'
import type { DigestFacts } from './events.ts'
import type { EvidenceRecord, FileDigests, Frame } from './snapshot.ts'

type EvidenceGuard = Extract<MachineGuard, { kind: 'evidence' }>

export interface GuardResult {
  readonly reading: GuardReading
  /** It passes only if a person confirms: what defines the command was changed (WF-31). */
  readonly needsPerson: boolean
}

/** What a piece of evidence is worth right now. */
export type EvidenceState =
  | 'fresh'
  | 'missing'
  | 'running'
  | 'refuted'
  | 'only_reported'
  | 'stale'
  | 'freshness_unknown'

/**
 * Whether a fact still holds: the newest matching call proved it, and the files it depends on are
 * the same before the call, after it and now. Where the caller could not look, it does not hold.
 */
export function evidenceState(
  fact: MachineEvidence,
  record: EvidenceRecord | undefined,
  now: FileDigests | undefined,
): EvidenceState {
  if (record === undefined) return 'missing'
  if (record.outcome === 'running') return 'running'
  if (record.outcome === 'refuted') return 'refuted'
  if (record.source === 'reported' && !fact.trustsReports) return 'only_reported'
  if (fact.staleAfter.length === 0) return 'fresh'
  if (record.touched || record.edits !== undefined) return 'stale'
  const digests = [record.before?.stale, record.after?.stale, now?.stale]
  if (digests.some((digest) => digest === null || digest === undefined)) return 'freshness_unknown'
  return digests[0] === digests[1] && digests[1] === digests[2] ? 'fresh' : 'stale'
}

export function readEvidence(
  guard: EvidenceGuard,
  machine: Machine,
  frame: Frame,
  digests: DigestFacts | undefined,
): GuardResult {
  const fact = machine.evidence.get(guard.evidence)
  if (fact === undefined) {
    const wants = phrase('want_evidence', { evidence: guard.evidence })
    return {
      reading: { guard: guard.name, path: guard.path, passed: false, saw: 'missing', wants },
      needsPerson: false,
    }
  }
  const record = own(frame.evidence, fact.name)
  const now = own(digests, fact.name)
  const atStart = own(frame.baseline, fact.name)
  const state = evidenceState(fact, record, now)
  const passed = state === 'fresh'
  const wants = evidencePhrase(fact)
  return {
    reading: { guard: guard.name, path: guard.path, passed, saw: state, wants },
    needsPerson:
      passed &&
      (definitionChanged(fact, [atStart, record?.before?.definedBy, now?.definedBy]) ||
        wasSwapped(record)),
  }
}

/** The evidence and the call that gives it. */
function evidencePhrase({ name: evidence, tool, command, wantsSuccess }: MachineEvidence): Phrase {
  const exit = wantsSuccess ? 'success' : 'failure'
  if (command === null) return phrase('want_call', { evidence, tool, exit })
  return phrase('want_command', { evidence, command: command.join(' '), exit })
}

/**
 * Whether files that say what the command does are others than when the run began, when the command
 * was started or now. An agent that may edit `package.json` would make any test pass.
 */
function definitionChanged(
  fact: MachineEvidence,
  digests: readonly (string | null | undefined)[],
): boolean {
  const [first] = digests
  // Where the author names none, files count if some were looked at as the run began: those of a
  // known runner. Runs from before those counted have no digest here, and decide as they did.
  if (fact.definedBy.length === 0 && (first === undefined || first === null)) return false
  return first === undefined || first === null || digests.some((digest) => digest !== first)
}

/**
 * Whether a file was another one while the command ran: digests before and after are alike for
 * anyone who puts a good file in its place and then the bad one back.
 */
function wasSwapped(record: EvidenceRecord | undefined): boolean {
  const [before, after] = [record?.before?.stamp, record?.after?.stamp]
  return before !== undefined && after !== undefined && before !== after
}
