import type { SandboxMode } from '../definition/workflow-schema.ts'

/** What the runner of a call can do for it: a fact of the way in and of the machine. */
export interface RunnerFacts {
  /** Who it is, as people know it: a client's name, or ours. */
  readonly name: string
  /** Whether it sets and removes variables of a command (SH-12). */
  readonly environment: boolean
  /** Whether it runs a command in a sandbox; `missing`: it would, but the machine has none. */
  readonly sandbox: 'can' | 'missing' | 'cannot'
  /** What the configuration wants where neither state nor workflow says (SH-14). */
  readonly sandboxDefault: SandboxMode
}

/** How a call that is let through may run. An allow without it would be half an answer. */
export interface RunPlan {
  /**
   * The visit of a state that let it through: once that is left, the call may not go on (SH-16). A
   * name would not do: a child's state may be called the same, and a state is entered again.
   */
  readonly visit: number | null
  readonly blockedEnv: readonly string[]
  readonly envOverrides: Readonly<Record<string, string>>
  /** The workspace as the sandbox shows it; null where the call runs without one. */
  readonly sandbox: 'read_only' | 'writable' | null
  /**
   * Nobody knows what the command does, so that it runs where it can do no harm: a read-only
   * workspace, no network, no sockets of the host, a private /tmp. `files`: in a state without a
   * shell, where it sees no variables either (SH-10).
   */
  readonly contain?: 'shell' | 'files'
}

/** Nothing holds the call but the decision itself. */
export const asItIs: RunPlan = { visit: null, blockedEnv: [], envOverrides: {}, sandbox: null }

/** Whether a plan asks for nothing that the runner would not do by itself. */
export function isAsItIs({ blockedEnv, envOverrides, sandbox }: RunPlan): boolean {
  return sandbox === null && blockedEnv.length === 0 && Object.keys(envOverrides).length === 0
}
