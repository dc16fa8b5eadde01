import { type ExternalAnswer, stateOfCaller, type ToolCall } from '@statewright/core'
import { actorOf, type Caller } from './caller.ts'
import type { LiveRun } from './live-runs.ts'
import type { RuntimeSettings } from './settings.ts'

/** How a shell call has to be run in the state that its caller stands in (SH-12, SH-14). */
export interface ShellPlace {
  readonly blockedEnv: readonly string[]
  readonly envOverrides: Readonly<Record<string, string>>
  readonly sandbox: 'off' | 'auto' | 'required'
  /** Whether the state lets files of the workspace be changed. */
  readonly mayWrite: boolean
  readonly mayStayInBackground: boolean
  readonly network: boolean
  readonly workspace: string | null
}

export interface ShellCaller {
  readonly caller: Caller
  readonly branch?: string | undefined
  /** Whether the server itself starts the command, or a coding client does. */
  readonly startedBy: 'us' | 'client'
}

export function shellPlace(
  settings: RuntimeSettings,
  live: LiveRun,
  { caller, branch, startedBy }: ShellCaller,
): ShellPlace {
  const state = stateOfCaller(live.program, live.snapshot, actorOf(caller), branch)
  const usual = startedBy === 'us' || settings.strict ? 'auto' : 'off'
  return {
    blockedEnv: state?.shell.blockedEnv ?? [],
    envOverrides: state?.envOverrides ?? {},
    sandbox: state?.sandbox ?? settings.sandbox ?? usual,
    mayWrite: state?.mayWrite ?? false,
    mayStayInBackground: state?.shell.background ?? false,
    network: settings.sandboxNetwork,
    workspace: live.row.workspace,
  }
}

/** Where only a sandbox will do and there is none, no shell call passes, whoever would run it. */
export function demandSandbox(
  settings: RuntimeSettings,
  live: LiveRun,
  caller: ShellCaller,
  call: ToolCall,
): ExternalAnswer | null {
  if (settings.missingSandbox === null || !isShellCall(call)) return null
  if (shellPlace(settings, live, caller).sandbox !== 'required') return null
  const message = `Shell calls may run in a sandbox only. ${settings.missingSandbox}`
  return {
    source: 'sandbox',
    kind: 'deny',
    reasons: [{ code: 'sandbox_required', message, path: 'sandbox' }],
  }
}

function isShellCall(call: ToolCall): boolean {
  return call.shell !== undefined || (call.unreadable !== undefined && call.edits === undefined)
}
