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
  /** Told of every call that was judged, however it came out. */
  readonly onJudged?: (judged: JudgedFacts) => void
}

/** A judged call as anyone who watches the server sees it. */
export interface JudgedFacts {
  readonly tool: string
  readonly runId: string | null
  readonly callId: string
  readonly session?: string
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly code: string | null
  /** Epoch milliseconds, with fractions. */
  readonly startedAt: number
  readonly endedAt: number
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
  readonly onJudged: (judged: JudgedFacts) => void
  /** Told of what was committed: calls that wait for an answered question go on. */
  published(entries: readonly Entry[]): void
}

export function createGuard(options: GuardOptions): Guard {
  const { runtime, sandbox = noSandbox, environment = {}, onFault = nothing } = options
  const waiters = new ApprovalWaiters()
  return {
    runtime,
    sandbox,
    environment,
    waiters,
    words: new PersonsWords(),
    workspaces: new WatchedWorkspaces(sandbox),
    onFault,
    onJudged: options.onJudged ?? nothing,
    published(entries) {
      for (const entry of entries) {
        if (entry.type === 'approval_resolved') waiters.wake(entry.approval_id)
      }
    },
  }
}

function nothing(): void {}

/** For where nobody looked for a sandbox. */
const noSandbox: SandboxFound = {
  kind: 'none',
  why: 'No sandbox was looked for.',
  shell: '/bin/bash',
}
