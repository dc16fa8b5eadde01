import { jsonEqual } from '../base/json.ts'
import type { Lane, RunSnapshot } from '../run/snapshot.ts'

/** Whether two engines left a run in the same place: everything but their words is equal. */
export function isSameStanding(left: RunSnapshot, right: RunSnapshot): boolean {
  return jsonEqual(withoutWords(left), withoutWords(right))
}

function withoutWords(run: RunSnapshot): object {
  const { engine: _, main, fork, ...rest } = run
  const branches = fork?.branches.map((branch) => ({ ...branch, lane: laneFacts(branch.lane) }))
  return {
    ...rest,
    main: laneFacts(main),
    fork: fork === null ? null : { ...fork, branches: branches ?? [] },
  }
}

function laneFacts({ frames, approval }: Lane): object {
  return {
    approval: approval === null ? null : { ...approval, message: '' },
    frames: frames.map((frame) => {
      const { rejected } = frame
      return { ...frame, rejected: rejected === null ? null : { ...rejected, note: '' } }
    }),
  }
}
