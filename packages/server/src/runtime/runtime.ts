import type { ServerTools } from '@statewright/core/internal'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/store.ts'
import type { AtWork } from './at-work.ts'
import type { ChangedFiles } from './changed-files.ts'
import type { DispatchRuntime } from './dispatch.ts'
import type { Policies } from './policies.ts'
import type { Programs } from './programs.ts'
import type { RunningCommands } from './running-commands.ts'
import type { Sealings } from './sealing.ts'
import type { SessionIndex } from './session-index.ts'
import type { RuntimeSettings } from './settings.ts'
import type { SharedRules } from './shared-rules.ts'

/** What every operation of the runtime works with. */
export interface Runtime extends DispatchRuntime {
  readonly store: Store
  readonly clock: Clock
  readonly programs: Programs
  readonly sessions: SessionIndex
  readonly atWork: AtWork
  /** Servers behind us whose tools are known right now; anyone who fronts them says so. */
  readonly servers: { tools: () => readonly ServerTools[] }
  readonly policies: Policies
  /** Where other nodes change what this one keeps in memory. */
  readonly rules: SharedRules
  readonly sealings: Sealings
  readonly settings: RuntimeSettings
  readonly commands: RunningCommands
  readonly changes: ChangedFiles
  /** Ports on which this server listens, once it does: agents have no business there. */
  readonly ownPorts: Set<number>
}
