import type { Entry } from '@statewright/core/internal'
import type { Runtime } from '../runtime/runtime.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { PersonsWords } from './persons-words.ts'
import { ApprovalWaiters } from './wait.ts'
import { WatchedWorkspaces } from './watched-workspaces.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface GuardOptions {
  readonly runtime: Runtime
  /** What this machine holds commands with; without it every sandbox is missing. */
  readonly sandbox?: SandboxFound
  /** Where the variables of commands come from that we start ourselves. */
  readonly environment?: Environment
  /** Told of every failure of ours on the path of a call, which is denied all the same. */
  readonly onFault?: (fault: unknown) => void
}

/** What every guarded call works with, whichever way it came in. */
export interface Guard {
  readonly runtime: Runtime
  readonly sandbox: SandboxFound
  readonly environment: Environment
  readonly waiters: ApprovalWaiters
  readonly words: PersonsWords
  readonly workspaces: WatchedWorkspaces
  readonly onFault: (fault: unknown) => void
  /** Told of what was committed: calls that wait for an answered question go on. */
  published(entries: readonly Entry[]): void
}

export function createGuard(options: GuardOptions): Guard {
  const { runtime, sandbox = noSandbox, environment = {}, onFault = () => {} } = options
  const waiters = new ApprovalWaiters()
  return {
    runtime,
    sandbox,
    environment,
    waiters,
    words: new PersonsWords(),
    workspaces: new WatchedWorkspaces(sandbox),
    onFault,
    published(entries) {
      for (const entry of entries) {
        if (entry.type === 'approval_resolved') waiters.wake(entry.approval_id)
      }
    },
  }
}

/** For where nobody looked for a sandbox. */
const noSandbox: SandboxFound = {
  kind: 'none',
  why: 'Nobody looked for a sandbox.',
  shell: '/bin/bash',
}
