import {
  type Actor,
  BoundedMap,
  machineOfCaller,
  type RunEvent,
  type ShellFindings,
  stateOfCaller,
} from '@statewright/core/internal'
import { fileStamps } from '../evidence/file-stamps.ts'
import type { LiveRun } from './live-runs.ts'

/** A shell call that was let through. */
export interface WatchedCall {
  readonly callId: string
  readonly by: Actor
  readonly branch?: string | undefined
  readonly shell: ShellFindings
}

type FileChanges = Extract<RunEvent, { type: 'tool_finished' }>['changed']

interface Watch {
  readonly root: string
  readonly matches: (file: string) => boolean
  readonly counts: boolean
  readonly before: ReadonlyMap<string, string>
}

const maxCalls = 200
/** As many as are named in the history; more would not make an interrupt fire twice. */
const maxNamed = 500

/**
 * What shell commands really change, where an interrupt or a limit of the state is about files: the
 * text of a command names some of them only. Files are compared by what nobody sets back (their
 * number, size and time of change), before the command and after its end.
 */
export class ChangedFiles {
  readonly #watches = new BoundedMap<string, Watch>(maxCalls)

  /** Looks at the files that matter, if any do. Call it before the command starts. */
  begin(live: LiveRun, call: WatchedCall): void {
    const { workspace: root, runId } = live.row
    const key = keyOf(runId, call.callId)
    // Anyone who asks again while it runs must not make what it has done by then look old.
    if (root === null || this.#watches.has(key)) return
    const { by, branch, shell } = call
    const { program, snapshot } = live
    const interrupts = machineOfCaller(program, snapshot, by, branch).interrupts.filter(
      (one) => one.shell,
    )
    const limit = stateOfCaller(program, snapshot, by, branch)?.maxFiles ?? Number.POSITIVE_INFINITY
    const counts = Number.isFinite(limit) && writesUnnamed(shell)
    if (interrupts.length === 0 && !counts) return
    const matches = (file: string) => counts || interrupts.some((one) => one.matches?.(file))
    const before = fileStamps(root, matches)
    if (before !== null) this.#watches.set(key, { root, matches, counts, before })
  }

  /** What changed since; undefined where nobody looked, or there is too much to look at. */
  end({ row }: LiveRun, callId: string): FileChanges {
    const key = keyOf(row.runId, callId)
    const watch = this.#watches.get(key)
    if (watch === undefined) return undefined
    const { root, matches, counts, before } = watch
    const now = fileStamps(root, matches)
    if (now === null) return undefined
    const all = new Set([...before.keys(), ...now.keys()])
    const files = [...all].filter((file) => before.get(file) !== now.get(file)).slice(0, maxNamed)
    if (files.length === 0) return undefined
    return { files, ...(counts ? { counts } : {}) }
  }

  /** The call is over, and what it changed is written down. */
  forget({ row }: LiveRun, callId: string): void {
    this.#watches.delete(keyOf(row.runId, callId))
  }
}

/** A build or a test writes files as well, and nobody would have counted them. */
function writesUnnamed({ writes }: ShellFindings): boolean {
  return writes.some(({ how, path }) => how !== 'state' && path === null)
}

function keyOf(runId: string, callId: string): string {
  return `${runId}\n${callId}`
}
