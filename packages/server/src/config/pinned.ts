import { hash as sha256 } from 'node:crypto'
import {
  err,
  ok,
  type Problem,
  type Result,
  stableText,
  unfinishedStatuses,
} from '@statewright/core/internal'
import type { Store } from '../store/store.ts'
import { ConfigWords, type Overtaken, overtaken } from './config-words.ts'
import { driftChange } from './drift-text.ts'
import { loosening, type SettingChange } from './loosening.ts'
import { chooseMode, type Mode, type ModeOverride, settleMode } from './mode-override.ts'
import { unaskedSettings } from './outward.ts'
import { replacedDefinitions } from './replaced-definitions.ts'
import type { Resolved } from './resolve.ts'
import { settingsHash } from './resolve.ts'
import { defaults, type Settings } from './schema.ts'
import { createToolPins, type ToolDrift, type ToolPins } from './tool-pins.ts'

/** A change of the configuration that waits for a person. */
export interface Waiting {
  readonly hash: string
  readonly changes: readonly Change[]
}

export interface Change extends SettingChange {
  /** What it takes away, in a sentence; null where it provably takes nothing. */
  readonly loosens: string | null
}

/**
 * The configuration that holds: the newest one that was accepted. While guarded runs are live every
 * change waits for a person; while none is, one that loosens does: an agent that edits the file, or
 * restarts the server with other variables, must not loosen what holds it or the next session.
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
  /** Tools of servers behind the gateway, whose changes are accepted with those of settings. */
  readonly tools: ToolPins
  /** Calls back whenever other settings may hold than before. */
  onChanged(listener: () => void): void
}

export interface ModeNow extends ModeOverride {
  readonly configured: Mode
  /** Where the configuration says so: a file, the environment, a flag or the defaults. */
  readonly origin: string
}

export async function openPinned(options: {
  readonly store: Pick<Store, 'settings' | 'runs' | 'definitions'>
  readonly read: () => Result<Resolved, Problem>
  readonly now: () => number
  /** Puts the programs of a project's first configuration to the person who starts the server. */
  readonly askFirst?: (waiting: Waiting) => Promise<boolean>
}): Promise<Result<PinnedConfig, Problem>> {
  const { store, read, now, askFirst } = options
  const listeners: (() => void)[] = []
  const tools = createToolPins(store)
  const words = await ConfigWords.read(store)
  let pending: PendingChange | null = null
  let origin = ''
  const configured = () => words.accepted ?? defaults
  const settled = (known: ModeOverride | null) => settleMode(known, configured().mode, now())
  let mode = settled(words.mode)
  let held = configured()

  async function hold(next: ModeOverride): Promise<Overtaken | undefined> {
    if (!(await words.writeMode(next))) return overtaken
    mode = next
    held = { ...configured(), mode: next.mode }
    for (const listener of listeners) listener()
  }

  async function keep(settings: Settings, by: string, rest: typeof pending = null) {
    const isKept = await words.writeAccepted({ settings, by, at: now() })
    if (isKept) pending = rest
    return isKept
  }

  /** What another node has accepted or switched; false where it did neither. */
  async function takeOver(): Promise<boolean> {
    if (!(await words.refresh())) return false
    mode = settled(words.mode)
    // What was accepted elsewhere is not replaced here, even where that would loosen nothing.
    if (pending !== null) pending = await changeTo(store, configured(), pending.settings)
    return true
  }

  async function settle(resolved: Resolved): Promise<boolean> {
    const { accepted } = words
    if (accepted === null) {
      const first = await firstOf(store, resolved, askFirst)
      return keep(first.settings, first.by, first.pending)
    }
    const change = await changeTo(store, accepted, resolved.settings)
    if (await mayPass(store, change)) return keep(resolved.settings, nothingLoosened)
    pending = change
    return true
  }

  const decide = <Made>(make: () => Promise<Made | Overtaken>) => words.decide(make, takeOver)

  /** Tools of servers that are gone wait for nobody. */
  const drift = () => tools.drift().filter(({ server }) => Object.hasOwn(held.upstreams, server))

  const pinned: PinnedConfig = {
    current: () => held,
    waiting: () => waitingOf(pending, drift()),
    tools,
    mode: () => ({
      ...mode,
      configured: configured().mode,
      origin: isModePending(pending, configured()) ? acceptedBefore : origin,
    }),
    chooseMode: (chosen, by) =>
      decide(() => {
        const word = { mode: chosen, by, configured: configured().mode }
        return hold(chooseMode(mode, word, now()))
      }),
    follow: () =>
      decide(async () => {
        const hidden = tools.drift().length
        const isChanged = await takeOver()
        await tools.follow()
        if (isChanged || tools.drift().length !== hidden) return hold(settled(mode))
      }),
    onChanged: (listener) => void listeners.push(listener),
    reload: () =>
      decide(async () => {
        const resolved = read()
        if (!resolved.ok) return resolved
        if (!(await settle(resolved.value))) return overtaken
        origin = resolved.value.origins.mode
        return (await hold(settled(mode))) ?? ok(undefined)
      }),
    accept: (by, hash) =>
      decide(async () => {
        const drifted = drift()
        const shown = waitingOf(pending, drifted)
        // What was edited again since the person looked is not what they said yes to.
        if (shown !== null && hash !== undefined && hash !== shown.hash) return err(changedAgain)
        if (pending !== null && !(await keep(pending.settings, by))) return overtaken
        await tools.accept(drifted)
        return (await hold(settled(mode))) ?? ok(held)
      }),
  }
  const first = await pinned.reload()
  return first.ok ? ok(pinned) : first
}

/** Programs of a stranger's repository must not start because somebody looked at it (SH-18b). */
async function firstOf(
  store: Pick<Store, 'definitions'>,
  { settings, projectKeys }: Resolved,
  askFirst: ((waiting: Waiting) => Promise<boolean>) | undefined,
): Promise<{ settings: Settings; by: string; pending: PendingChange | null }> {
  const unasked = unaskedSettings(settings, projectKeys)
  const change = await changeTo(store, unasked, settings)
  if (change !== null && (await askFirst?.(change.waiting)) === true) {
    return { settings, by: 'the person who started the server', pending: null }
  }
  return { settings: unasked, by: 'nothing was accepted before', pending: change }
}

function isModePending(pending: PendingChange | null, { mode }: Settings): boolean {
  return pending !== null && pending.settings.mode !== mode
}

const nothingLoosened = 'it loosens nothing, and no guarded run was live'

/** A change that needs nobody: it loosens nothing, and no run is under way. */
async function mayPass(store: Pick<Store, 'runs'>, change: PendingChange | null): Promise<boolean> {
  if (change === null) return false
  const isLooser = change.waiting.changes.some(({ loosens }) => loosens !== null)
  return !isLooser && !(await hasLiveRuns(store))
}

const acceptedBefore = 'what was accepted before'

const changedAgain: Problem = {
  code: 'config_invalid',
  message: 'The configuration was changed again since it was shown.',
  where: 'config accept',
  next: 'look at it with "statewright config show" and accept what you see.',
}

async function hasLiveRuns(store: Pick<Store, 'runs'>): Promise<boolean> {
  const { runs } = await store.runs.list({ status: unfinishedStatuses, limit: 1 })
  return runs.length > 0
}

interface PendingChange {
  readonly settings: Settings
  readonly waiting: Waiting
}

/** Changed tools wait beside changed settings: one look, one hash, one yes. */
function waitingOf(pending: PendingChange | null, drift: readonly ToolDrift[]): Waiting | null {
  const settings = pending?.waiting ?? null
  if (drift.length === 0) return settings
  return {
    hash: sha256('sha256', stableText([settings?.hash ?? null, drift])),
    changes: [...(settings?.changes ?? []), ...drift.map(driftChange)],
  }
}

/** What is different, and what of it loosens; null where nothing is. */
async function changeTo(
  store: Pick<Store, 'definitions'>,
  before: Settings,
  settings: Settings,
): Promise<PendingChange | null> {
  if (stableText(before) === stableText(settings)) return null
  const from = new Map<string, unknown>(Object.entries(before))
  const replaced = await replacedDefinitions(store, settings.definitions)
  const changes = Object.entries(settings)
    .map(([key, to]) => ({ key, from: from.get(key) ?? null, to }))
    .filter((change) => stableText(change.from) !== stableText(change.to))
    .map((change) => ({ ...change, loosens: loosened(change, replaced) }))
  return { settings, waiting: { hash: settingsHash(settings), changes } }
}

function loosened(change: SettingChange, replaced: readonly string[]): string | null {
  if (change.key !== 'definitions') return loosening(change)
  return replaced.length === 0 ? null : `The rules have changed in ${replaced.join(', ')}.`
}
