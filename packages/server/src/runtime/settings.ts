import type { ProgramTable, SessionLimits } from '@statewright/core/internal'
import type { PriceTable } from '../prices/model-price.ts'

/** How the runtime holds its runs; from the configuration, fixed while the server lives. */
export interface RuntimeSettings {
  readonly strict: boolean
  /** `observe`: nothing is denied, everything that would be is recorded. */
  readonly mode: 'enforce' | 'observe'
  /** Since when that mode holds; 0 when nobody wrote it down. */
  readonly modeSince: number
  /** Workflows an agent may load by itself; null for all (outside strict mode). */
  readonly agentMayLoad: readonly string[] | null
  /** Started by the first call or prompt of a client session, when it has no run. */
  readonly workflow: string | null
  readonly autostart: 'session' | 'prompt' | 'off'
  readonly readOnlyShell: 'auto' | 'on' | 'off'
  /** Folders and files that no guarded call may touch: our data and keys. */
  readonly protectedPaths: readonly string[]
  /** Files of ours in the project that no guarded call may change: configuration, definitions. */
  readonly protectedFiles: readonly string[]
  /** What runs in our name: our package, what it loads, and Node. No guarded call changes it. */
  readonly program: readonly string[]
  /** More paths that are changed only when a person agrees (SH-18). */
  readonly askPaths: readonly string[]
  /** The project that the server works for: its policies hold for every call that comes here. */
  readonly project: string | null
  /** The person's home, where coding clients keep their settings; null when it is not known. */
  readonly home: string | null
  /** Homes of others on this machine: a client may run as somebody else than the server. */
  readonly homes: readonly string[]
  /** Where variables put the settings of coding clients instead. */
  readonly clientFolders: readonly string[]
  readonly askTimeoutMs: number
  /** What holds for shell calls where neither state nor workflow says (SH-14). */
  readonly sandbox: 'auto' | 'required' | 'off' | null
  /** Why this machine has no sandbox; null when it has one. */
  readonly missingSandbox: string | null
  readonly sandboxNetwork: boolean
  /** Replace the input also where a client wants an allow with it, which waives its own prompt. */
  readonly rewriteWithAllow: boolean
  /** What the configuration says of programs, before what we know of them (SH-5). */
  readonly programs: ProgramTable
  /** What models cost where the user says so; it comes before our own list (PR-9). */
  readonly prices: PriceTable
  /** What one report of a cost may tell (PR-9d). */
  readonly maxCostReportUsd: number
  /** How far agent sessions go by themselves (SE-5a). */
  readonly sessions: SessionLimits
  /** How long runs stay in the store after their end; null for ever (AR-1). */
  readonly keepMs: number | null
}

export const defaultSettings: RuntimeSettings = {
  strict: false,
  mode: 'enforce',
  modeSince: 0,
  agentMayLoad: null,
  workflow: null,
  autostart: 'session',
  readOnlyShell: 'auto',
  protectedPaths: [],
  protectedFiles: [],
  program: [],
  askPaths: [],
  project: null,
  home: null,
  homes: [],
  clientFolders: [],
  askTimeoutMs: 5 * 60_000,
  sandbox: null,
  missingSandbox: null,
  sandboxNetwork: true,
  rewriteWithAllow: false,
  programs: new Map(),
  prices: {},
  maxCostReportUsd: 10,
  sessions: {},
  keepMs: null,
}
