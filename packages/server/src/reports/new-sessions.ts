import { policiesFor } from '../runtime/policies.ts'
import { findDefinition } from '../runtime/rules/definitions.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** What holds a client session that begins now, before anybody starts a run for it. */
export interface NewSessions {
  /**
   * `workflow`: a run begins with it. `closed`: no tool without a run. `policies`: only what they
   * deny is denied. `open`: every call passes. `broken`: every call is denied by a fault.
   */
  readonly guard: 'workflow' | 'closed' | 'policies' | 'open' | 'broken'
  readonly sentence: string
  /** What to do about it; null where nothing is wrong. */
  readonly next: string | null
}

type SettingsRuntime = Pick<Runtime, 'settings' | 'store' | 'policies'>

/** Hooks that ask us are no guard by themselves: what is asked must have something to say. */
export async function newSessions(runtime: SettingsRuntime): Promise<NewSessions> {
  const { workflow, autostart, strict, mode } = runtime.settings
  const begins = workflow !== null && autostart !== 'off' ? workflow : null
  if (mode === 'observe') {
    return open(
      'Nothing is guarded yet: in observe mode denials are only recorded.',
      'run "statewright config mode enforce" when you want calls to be denied.',
    )
  }
  if (begins !== null) return guardedBy(runtime, begins)
  if (strict) {
    return {
      guard: 'closed',
      sentence: 'Strict mode, and no workflow starts: no tool may be used until a run is started.',
      next: 'name a "workflow" in statewright.yaml, or start a run with "statewright run start".',
    }
  }
  const policies = await policiesHere(runtime)
  if (policies.length > 0) {
    const names = policies.map(({ row }) => row.name).join(', ')
    return {
      guard: 'policies',
      sentence: `No workflow starts with a session: only policies are enforced (${names}).`,
      next: 'name a "workflow" in statewright.yaml to guard every session.',
    }
  }
  if (workflow === null) {
    return open(
      'Nothing is guarded yet: no workflow is configured for this project.',
      'run "statewright init" in the project, then start the server again.',
    )
  }
  return open(
    `Nothing is guarded yet: autostart is off, so no session starts the workflow ${workflow}.`,
    'remove "autostart" from statewright.yaml, or start a run for each session.',
  )
}

/** Those that would judge a call here, not those of other projects or of a role that nobody has. */
async function policiesHere({ policies, settings, store }: SettingsRuntime) {
  const set = await policies.current()
  if (set.all.length === 0) return []
  const keys = (await store.tokens.list()).filter((one) => one.kind === 'hook' && !one.revokedAt)
  const roles = keys.length === 0 ? [defaultRole] : keys.map(({ role }) => role)
  const projects = settings.project === null ? [] : [settings.project]
  const held = roles.map((role) => new Set(policiesFor(set, { role, projects })))
  return set.all.filter((one) => held.some((ofRole) => ofRole.has(one)))
}

/** What a key gets that nobody gave a role. */
const defaultRole = 'agent'

async function guardedBy(runtime: SettingsRuntime, workflow: string): Promise<NewSessions> {
  const row = await findDefinition(runtime, workflow)
  if (row !== undefined && !row.draft) {
    const sentence = `Every new session is guarded by the workflow ${workflow}.`
    return { guard: 'workflow', sentence, next: null }
  }
  const why =
    row === undefined ? `no workflow is called "${workflow}"` : `"${workflow}" is only a draft`
  return {
    guard: 'broken',
    sentence: `Every call of a new session is denied: ${why}.`,
    next: `save it with "statewright workflow push", or fix "workflow" in statewright.yaml.`,
  }
}

function open(sentence: string, next: string): NewSessions {
  return { guard: 'open', sentence, next }
}
