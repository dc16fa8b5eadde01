import { jsonEqual } from '../base/json.ts'
import type { Lane, RunSnapshot } from '../run/snapshot.ts'

/**
 * Whether two engines left a run in the same place: everything is equal but their words and what
 * only one of them keeps (who paused, calls while no state held, edits of evidence under way, what
 * people wrote with a verdict that led on).
 */
export function isSameStanding(left: RunSnapshot, right: RunSnapshot): boolean {
  return jsonEqual(withoutWords(left), withoutWords(right))
}

function withoutWords(run: RunSnapshot): object {
  const { engine: _, held: __, calls, main, fork, ...rest } = run
  const branches = fork?.branches.map((branch) => ({ ...branch, lane: laneFacts(branch.lane) }))
  return {
    ...rest,
    calls: calls.filter(({ free }) => free !== true),
    main: laneFacts(main),
    fork: fork === null ? null : { ...fork, branches: branches ?? [] },
  }
}

function laneFacts({ frames, approval }: Lane): object {
  return {
    approval: approval === null ? null : { ...approval, message: '' },
    frames: frames.map((frame) => {
      const { rejected, evidence, word: _, ...rest } = frame
      return {
        ...rest,
        rejected: rejected === null ? null : { ...rejected, note: '' },
        evidence: Object.entries(evidence).map(([name, { touched, edits, ...fact }]) => {
          return [name, fact]
        }),
      }
    }),
  }
}
