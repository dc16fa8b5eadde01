import { err, ok, type Problem, type Result, stableText } from '@statewright/core'
import type { Store } from '../store/store.ts'
import {
  chooseMode,
  type HeldMode,
  type Mode,
  readHeldMode,
  settleMode,
  writeHeldMode,
} from './held-mode.ts'
import type { Resolved } from './resolve.ts'
import { settingsHash } from './resolve.ts'
import { defaults, type Settings } from './schema.ts'

/** A change of the configuration that waits for a person. */
export interface Waiting {
  readonly hash: string
  readonly changes: readonly Change[]
}

export interface Change {
  readonly key: string
  readonly from: unknown
  readonly to: unknown
}

/**
 * The configuration that holds. While guarded runs are live it is pinned: an agent that edits the
 * file, or restarts the server with other variables, must not loosen what it is held by.
 */
export interface PinnedConfig {
  current(): Settings
  waiting(): Waiting | null
  /** Looks again at files, environment and flags. */
  reload(): Promise<Result<void, Problem>>
  /** A person accepts the change that they were shown; `hash` says which one that was. */
  accept(by: string, hash: string | undefined): Promise<Result<Settings, Problem>>
  mode(): ModeNow
  /** A person switches the mode; it holds at once, and over restarts. */
  chooseMode(mode: Mode, by: string): Promise<void>
  /** Takes over what another node on the same store has accepted or switched. */
  follow(): Promise<void>
}

export interface ModeNow extends HeldMode {
  readonly configured: Mode
  /** Where the configuration says so: a file, the environment, a flag or the defaults. */
  readonly origin: string
}

const key = 'config.accepted'
const liveStatuses = ['running', 'waiting', 'paused', 'blocked'] as const

export async function openPinned(parts: {
  readonly store: Pick<Store, 'settings' | 'runs'>
  readonly read: () => Result<Resolved, Problem>
  readonly now: () => number
}): Promise<Result<PinnedConfig, Problem>> {
  const { store, read, now } = parts
  let accepted = await acceptedOf(store)
  let wanted: Settings | null = null
  let origin = ''
  let mode = settleMode(await readHeldMode(store), (accepted ?? defaults).mode, now())
  let held = accepted ?? defaults

  const configured = () => accepted ?? defaults

  async function hold(next: HeldMode): Promise<void> {
    if (stableText(next) !== stableText(await readHeldMode(store))) await writeHeldMode(store, next)
    mode = next
    held = { ...configured(), mode: next.mode }
  }

  async function settle(settings: Settings): Promise<void> {
    const isSame = accepted !== null && stableText(accepted) === stableText(settings)
    wanted = isSame ? null : settings
    if (isSame || (accepted !== null && (await hasLiveRuns(store)))) return
    await keep(settings, 'no guarded run was live')
  }

  async function keep(settings: Settings, by: string): Promise<void> {
    await store.settings.set(key, JSON.stringify({ settings, by, at: now() }))
    accepted = settings
    wanted = null
  }

  const pinned: PinnedConfig = {
    current: () => held,
    waiting: () => (wanted === null ? null : waitingChange(configured(), wanted)),
    mode: () => ({
      ...mode,
      configured: configured().mode,
      origin: wanted === null || wanted.mode === configured().mode ? origin : acceptedBefore,
    }),
    async chooseMode(chosen, by) {
      await hold(chooseMode(mode, { mode: chosen, by, configured: configured().mode }, now()))
    },
    async follow() {
      const [theirs, theirMode] = [await acceptedOf(store), await readHeldMode(store)]
      const isSame = stableText([theirs, theirMode]) === stableText([accepted, mode])
      if (isSame) return
      accepted = theirs
      if (stableText(wanted) === stableText(theirs)) wanted = null
      await hold(settleMode(theirMode, configured().mode, now()))
    },
    async reload() {
      const resolved = read()
      if (!resolved.ok) return resolved
      await settle(resolved.value.settings)
      origin = resolved.value.origins.mode
      await hold(settleMode(mode, configured().mode, now()))
      return ok(undefined)
    },
    async accept(by, hash) {
      if (wanted === null) return ok(held)
      // What was edited again since the person looked is not what they said yes to.
      if (hash !== undefined && hash !== settingsHash(wanted)) return err(changedAgain)
      await keep(wanted, by)
      await hold(settleMode(mode, configured().mode, now()))
      return ok(held)
    },
  }
  const first = await pinned.reload()
  return first.ok ? ok(pinned) : first
}

const acceptedBefore = 'what was accepted before'

const changedAgain: Problem = {
  code: 'config_invalid',
  message: 'The configuration was changed again since it was shown.',
  where: 'config accept',
  next: 'look at it with "statewright config show" and accept what you see.',
}

/** Keys that a newer version added have their defaults in what an older one accepted. */
async function acceptedOf(store: Pick<Store, 'settings'>): Promise<Settings | null> {
  const text = await store.settings.get(key)
  if (text === undefined) return null
  const { settings } = JSON.parse(text)
  return { ...defaults, ...settings }
}

async function hasLiveRuns(store: Pick<Store, 'runs'>): Promise<boolean> {
  const { runs } = await store.runs.list({ status: liveStatuses, limit: 1 })
  return runs.length > 0
}

function waitingChange(before: Settings, after: Settings): Waiting {
  const from = new Map<string, unknown>(Object.entries(before))
  const changes = Object.entries(after)
    .map(([name, to]) => ({ key: name, from: from.get(name) ?? null, to }))
    .filter((change) => stableText(change.from) !== stableText(change.to))
  return { hash: settingsHash(after), changes }
}
