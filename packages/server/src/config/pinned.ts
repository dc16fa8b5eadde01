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

interface PinnedOptions {
  readonly store: Pick<Store, 'settings' | 'runs' | 'definitions'>
  readonly read: () => Result<Resolved, Problem>
  readonly now: () => number
  /** Puts the programs of a project's first configuration to the person who starts the server. */
  readonly askFirst?: (waiting: Waiting) => Promise<boolean>
}

export async function openPinned(options: PinnedOptions): Promise<Result<PinnedConfig, Problem>> {
  const pinned = new Pinned(options, await ConfigWords.read(options.store))
  const first = await pinned.reload()
  return first.ok ? ok(pinned) : first
}

/** Whatever decides runs by itself in `#decide`, and again where another node was faster. */
class Pinned implements PinnedConfig {
  readonly tools: ToolPins
  readonly #options: PinnedOptions
  readonly #words: ConfigWords
  readonly #listeners: (() => void)[] = []
  #pending: PendingChange | null = null
  /** Where the configuration says which mode it is. */
  #origin = ''
  #mode: ModeOverride
  #current: Settings

  constructor(options: PinnedOptions, words: ConfigWords) {
    this.tools = createToolPins(options.store)
    this.#options = options
    this.#words = words
    this.#current = words.accepted ?? defaults
    this.#mode = this.#settled(words.mode)
  }

  current(): Settings {
    return this.#current
  }

  waiting(): Waiting | null {
    return waitingOf(this.#pending, this.#drift())
  }

  mode(): ModeNow {
    const configured = this.#configured()
    const origin = isModePending(this.#pending, configured) ? acceptedBefore : this.#origin
    return { ...this.#mode, configured: configured.mode, origin }
  }

  chooseMode(mode: Mode, by: string): Promise<void> {
    return this.#decide(() => {
      const word = { mode, by, configured: this.#configured().mode }
      return this.#apply(chooseMode(this.#mode, word, this.#options.now()))
    })
  }

  follow(): Promise<void> {
    return this.#decide(async () => {
      const drifted = this.tools.drift().length
      const isChanged = await this.#takeOver()
      await this.tools.follow()
      if (!isChanged && this.tools.drift().length === drifted) return
      return this.#apply(this.#settled(this.#mode))
    })
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener)
  }

  reload(): Promise<Result<void, Problem>> {
    return this.#decide(async () => {
      const resolved = this.#options.read()
      if (!resolved.ok) return resolved
      if (!(await this.#settle(resolved.value))) return overtaken
      this.#origin = resolved.value.origins.mode
      return (await this.#apply(this.#settled(this.#mode))) ?? ok(undefined)
    })
  }

  accept(by: string, hash: string | undefined): Promise<Result<Settings, Problem>> {
    return this.#decide(async () => {
      const drifted = this.#drift()
      const shown = waitingOf(this.#pending, drifted)
      // What was edited again since the person looked is not what they said yes to.
      if (shown !== null && hash !== undefined && hash !== shown.hash) return err(changedAgain)
      if (this.#pending !== null && !(await this.#save(this.#pending.settings, by))) {
        return overtaken
      }
      await this.tools.accept(drifted)
      return (await this.#apply(this.#settled(this.#mode))) ?? ok(this.#current)
    })
  }

  #configured(): Settings {
    return this.#words.accepted ?? defaults
  }

  #settled(known: ModeOverride | null): ModeOverride {
    return settleMode(known, this.#configured().mode, this.#options.now())
  }

  /** Tools of servers that are gone wait for nobody. */
  #drift(): readonly ToolDrift[] {
    const { upstreams } = this.#current
    return this.tools.drift().filter(({ server }) => Object.hasOwn(upstreams, server))
  }

  #decide<Made>(make: () => Promise<Made | Overtaken>): Promise<Made> {
    return this.#words.decide(make, () => this.#takeOver())
  }

  /** Puts the accepted settings in force, in a mode. */
  async #apply(mode: ModeOverride): Promise<Overtaken | undefined> {
    if (!(await this.#words.writeMode(mode))) return overtaken
    this.#mode = mode
    this.#current = { ...this.#configured(), mode: mode.mode }
    for (const listener of this.#listeners) listener()
  }

  async #save(
    settings: Settings,
    by: string,
    pending: PendingChange | null = null,
  ): Promise<boolean> {
    const at = this.#options.now()
    const isSaved = await this.#words.writeAccepted({ settings, by, at })
    if (isSaved) this.#pending = pending
    return isSaved
  }

  /** What another node has accepted or switched; false where it did neither. */
  async #takeOver(): Promise<boolean> {
    if (!(await this.#words.refresh())) return false
    this.#mode = this.#settled(this.#words.mode)
    const pending = this.#pending
    // What was accepted elsewhere is not replaced here, even where that would loosen nothing.
    if (pending !== null) {
      this.#pending = await changeTo(this.#options.store, this.#configured(), pending.settings)
    }
    return true
  }

  /** Takes over what was read, or lets it wait for a person; false where it was overtaken. */
  async #settle(resolved: Resolved): Promise<boolean> {
    const { store, askFirst } = this.#options
    const { accepted } = this.#words
    if (accepted === null) {
      const first = await firstOf(store, resolved, askFirst)
      return this.#save(first.settings, first.by, first.pending)
    }
    const change = await changeTo(store, accepted, resolved.settings)
    if (await mayPass(store, change)) return this.#save(resolved.settings, nothingLoosened)
    this.#pending = change
    return true
  }
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
