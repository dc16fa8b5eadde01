import { join } from 'node:path'
import {
  describeCall,
  err,
  isInVisit,
  ok,
  type Problem,
  type Result,
  type RunPlan,
} from '@statewright/core/internal'
import { actorOf } from '../base/caller.ts'
import type { PathShield } from '../base/key-files.ts'
import { isReplaced } from '../sandbox/bubblewrap.ts'
import { type Cage, isWithin, makeCage } from '../sandbox/cage.ts'
import { containedVariables, serverChildEnvironment } from '../sandbox/environment.ts'
import type { Guard } from './guard.ts'
import type { OpenCall } from './guarded-call.ts'
import { gitFilesAt } from './protect/git-files.ts'
import { innerGuards } from './protect/inner-guards.ts'
import { pathShield } from './protect/path-shield.ts'
import { homesOf, protectedPathsOf, withHome } from './protect/protected-paths.ts'
import { changedApprovalPaths } from './protect/self-protection.ts'
import { workspaceFacts } from './workspace-facts.ts'

/** A call that was let through, with what its commands are about to do and where. */
export interface StartingCall {
  readonly open: Pick<OpenCall, 'runId' | 'caller' | 'branch' | 'plan'>
  readonly tool: string
  readonly input: unknown
  /** The folder that it works in, and where it stands in it. */
  readonly workspace: string
  readonly cwd: string
  /** The client's home, as in the request. */
  readonly home?: string | undefined
}

/** How the commands of a call are held while they run. */
export interface Hold {
  /**
   * The sandbox of one command; null: without. Made again for each, since what it keeps from being
   * changed is looked up on the disk.
   */
  cage(): Cage | null
  /** What file tools of ours keep to when they open something. */
  readonly shield: PathShield
  /** Variables for a command that we start ourselves. */
  readonly environment: Record<string, string>
  /**
   * From now on `end` is called before the run leaves the state (SH-16); nothing may be started
   * before that. Call the answer when the command is over.
   */
  track(end: () => Promise<void> | void): Promise<Result<() => void, Problem>>
}

/**
 * Carries a plan over to the machine (SH-12, SH-14, SH-16), for whoever starts the command: we for
 * our own tools, our `exec` for a client. The sandbox holds what the decision may have missed.
 */
export async function holdCall(guard: Guard, call: StartingCall): Promise<Result<Hold, Problem>> {
  const { blockedEnv: blocked, sandbox } = call.open.plan
  const overrides = overridesOf(call.open.plan)
  if (!(await isStillInForce(guard, call.open))) return err(movedOn)
  if (sandbox !== null && isReplaced(call.cwd, call.workspace)) return err(notThere(call))
  guard.workspaces.allow(call.workspace, changeablePaths(guard.runtime, call))
  return ok({
    shield: shieldOf(guard, call),
    cage: () => (sandbox === null ? null : cageOf(guard, call)),
    environment: serverChildEnvironment(guard.environment, { blocked, overrides }),
    track: (end) => track(guard, call.open, end),
  })
}

/** What our own file tools may not open for a call, whatever its words were. */
export function shieldOf(
  { runtime }: Guard,
  { workspace, home }: Pick<StartingCall, 'workspace' | 'home'>,
): PathShield {
  return pathShield(withHome(runtime.settings, home), workspace)
}

/** What the state sets, and in front of it where a contained command keeps its caches. */
export function overridesOf({ contain, envOverrides }: RunPlan): Readonly<Record<string, string>> {
  return contain === undefined ? envOverrides : { ...containedVariables, ...envOverrides }
}

const noSandbox: Problem = {
  code: 'sandbox_required',
  message: 'The call may only run in a sandbox, and this machine has none.',
  next: 'ask a person to install bubblewrap.',
}

function notThere({ cwd, workspace }: StartingCall): Problem {
  return {
    code: 'sandbox_required',
    message: `The call may only run in a sandbox, and ${cwd} cannot be seen there.`,
    next: `run it in ${workspace}.`,
  }
}

const movedOn: Problem = {
  code: 'run_not_active',
  message: 'The run has moved on since the call was checked.',
  next: 'make the call again.',
}

/**
 * Looks and enters the command in the run's own order. A transition that is being committed has
 * ended its commands already: one that came in between would outlive the state (SH-16).
 */
async function track(
  guard: Guard,
  open: StartingCall['open'],
  end: () => Promise<void> | void,
): Promise<Result<() => void, Problem>> {
  const { queue, commands } = guard.runtime
  const { runId, caller, branch, plan } = open
  const { visit, sandbox } = plan
  // Shell calls are denied before that (SH-14); other tools start commands as well.
  if (sandbox !== null && guard.sandbox.kind === 'none') return err(noSandbox)
  if (runId === null || visit === null) return ok(() => {})
  return queue.inOrder(runId, async () => {
    if (!(await isStillInForce(guard, open))) return err(movedOn)
    return ok(commands.add({ runId, caller, branch, visit, end }))
  })
}

/** A transition between judging and running voids what was judged. */
async function isStillInForce({ runtime }: Guard, open: StartingCall['open']): Promise<boolean> {
  const { runId, caller, branch, plan } = open
  const { visit } = plan
  if (runId === null || visit === null) return true
  const live = await runtime.live.get(runId)
  return live !== undefined && isInVisit(live.snapshot, { by: actorOf(caller), branch, visit })
}

/** The sandbox of a call, with what it has to hide and to keep from being changed. */
function cageOf({ runtime, workspaces }: Guard, call: StartingCall): Cage {
  const { workspace, open, tool } = call
  const settings = withHome(runtime.settings, call.home)
  const { masked, ...held } = protectedPathsOf(settings, workspace)
  const mayChange = changeablePaths({ settings, ownPorts: runtime.ownPorts }, call)
  const mayWrite = open.plan.sandbox === 'writable' || gitWriters.has(tool)
  const inner = mayWrite ? innerGuards(workspace) : undefined
  const keep = [...held.unchangeable, ...held.program, ...held.needApproval, ...held.later]
    .map(({ path }) => path)
    .concat(inner?.settings ?? [])
    .filter((path) => !mayChange.some((changed) => isWithin(changed, path)))
  const cage = () =>
    makeCage({
      workspace,
      mayWrite,
      network: settings.sandboxNetwork && open.plan.contain === undefined,
      hide: open.plan.contain === 'files' ? [...masked, ...keyPaths(homesOf(settings))] : masked,
      keep,
    })
  if (inner === undefined) return cage()
  const live = new Set([
    ...held.unchangeable.map(({ path }) => path),
    ...inner.settings,
    ...gitFilesAt(workspace),
  ])
  const request = { workspace, keep, inner, allowed: mayChange, makeCage: cage }
  return workspaces.watch({ ...request, live: keep.filter((path) => live.has(path)) })
}

/** Where people keep keys: a state without a shell reads the project by one, and nothing else. */
function keyPaths(homes: readonly string[]): readonly string[] {
  const names =
    '.ssh .aws .azure .gnupg .kube .docker .config/gcloud .config/gh .netrc .git-credentials ' +
    '.npmrc .pypirc .password-store .pgpass .my.cnf'
  const inHome = homes.flatMap((home) => names.split(' ').map((name) => join(home, name)))
  return ['/etc/shadow', ...inHome]
}

/** A state names these to have them change the workspace, and they start no other program. */
const gitWriters = new Set(['git_commit', 'git_checkout', 'git_apply'])

/** Protected paths that a person let this very call change. */
function changeablePaths(
  { settings, ownPorts }: Pick<Guard['runtime'], 'settings' | 'ownPorts'>,
  { open, tool, input, workspace: root, cwd }: StartingCall,
): readonly string[] {
  // Without a run there is nobody who could agree.
  if (open.runId === null) return []
  const call = describeCall({ id: '', tool, input }, workspaceFacts(settings, root, cwd))
  return changedApprovalPaths(settings, { input, call, root, cwd, ownPorts })
}
