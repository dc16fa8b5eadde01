import type { Entry } from '@statewright/core/internal'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import { AtWork } from './at-work.ts'
import { ChangedFiles } from './changed-files.ts'
import { type LiveRun, LiveRuns } from './live-runs.ts'
import { Policies } from './policies.ts'
import { Programs } from './programs.ts'
import { RunQueue } from './run-queue.ts'
import { RunningCommands } from './running-commands.ts'
import type { Runtime } from './runtime.ts'
import { Sealings } from './sealing.ts'
import { SessionIndex } from './session-index.ts'
import type { RuntimeSettings } from './settings.ts'
import { SharedRules } from './shared-rules.ts'

export interface Published {
  readonly runId: string
  readonly entries: readonly Entry[]
}

/** Puts the runtime together. Operations are functions over its parts. */
export function createRuntime(options: {
  readonly store: Store
  readonly clock: Clock
  readonly settings: RuntimeSettings
  readonly onPublished?: (published: Published) => void
  /** Told of each run that is taken up from the store. */
  readonly onRevived?: (live: LiveRun) => void
}): Runtime {
  const { store, clock, settings, onPublished, onRevived } = options
  const programs = new Programs(store)
  const live = new LiveRuns(store, programs, onRevived)
  const sessions = new SessionIndex(store)
  const published = (run: LiveRun, entries: readonly Entry[]) => {
    if (entries.some(beginsOrEnds)) {
      sessions.forgetOnly(run.row.owner)
      if (run.row.agent !== null) sessions.forgetOnly(run.row.agent)
    }
    if (entries.some((entry) => entry.type === 'run_ended')) {
      sessions.forget(run.row.session)
      if (run.row.status === 'blocked') sessions.forgetBlocks()
    }
    onPublished?.({ runId: run.row.runId, entries })
  }
  const policies = new Policies(store)
  const rules = new SharedRules(store.nodes.shared)
  rules.onRules(() => policies.forget())
  rules.onBonds(() => sessions.forgetAll())
  const queue = new RunQueue()
  const commands = new RunningCommands()
  return {
    store,
    clock,
    settings,
    sealings: new Sealings(store),
    programs,
    live,
    sessions,
    atWork: new AtWork(),
    servers: { tools: () => [] },
    policies,
    rules,
    queue,
    commands,
    changes: new ChangedFiles(),
    ownPorts: new Set(),
    published,
  }
}

function beginsOrEnds({ type }: Entry): boolean {
  return type === 'run_started' || type === 'run_ended'
}
