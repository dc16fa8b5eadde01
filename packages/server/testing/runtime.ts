import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '@statewright/core/internal'
import type { Caller } from '../src/base/caller.ts'
import { type Clock, systemClock } from '../src/base/clock.ts'
import { createGuard, type Guard, type GuardOptions } from '../src/guard/guard.ts'
import { createRuntime } from '../src/runtime/create-runtime.ts'
import { saveDefinition } from '../src/runtime/rules/definitions.ts'
import { type StartRequest, startRun } from '../src/runtime/runs/start-run.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { defaultSettings, type RuntimeSettings } from '../src/runtime/settings.ts'
import { openStore } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'

export const ann: Caller = { tokenId: 'person_ann', kind: 'person', role: 'person', name: 'Ann' }
export const agent: Caller = { tokenId: 'agent_1', kind: 'agent', role: 'agent', name: 'claude' }
export const other: Caller = { tokenId: 'agent_2', kind: 'agent', role: 'agent', name: 'other' }

/** Plan by reading, then write: the smallest workflow that denies and opens something. */
export const planThenWrite = {
  id: 'plan-then-write',
  initial: 'planning',
  states: {
    planning: {
      allowed_tools: ['Read', 'Grep'],
      instructions: 'Read first.',
      on: { READY: 'writing', ASK: { target: 'writing', requires_approval: true } },
    },
    writing: { allowed_tools: ['Read', 'Write'], on: { DONE: 'done', BACK: 'planning' } },
    mending: { allowed_tools: ['Read', 'Write'], on: { MENDED: '$return' } },
    done: { type: 'final' },
  },
  meta: { approval_mode: 'ui' },
  interrupts: { secret: { trigger: { file_pattern: '**/*.env' }, target: 'mending' } },
}

/** A runtime with its guard on a real store, in a folder of its own. */
export interface RuntimeWorld {
  readonly guard: Guard
  readonly runtime: Runtime
  readonly store: Store
  readonly folder: string
  close(): Promise<void>
}

export interface RuntimeOptions {
  readonly settings?: Partial<RuntimeSettings> | undefined
  readonly clock?: Clock | undefined
  /** Around the store, for those that fail or count. */
  readonly wrapStore?: ((store: Store) => Store) | undefined
  readonly guard?: Omit<GuardOptions, 'runtime'>
  readonly onPublished?: (runId: string, entries: readonly Entry[]) => void
}

export async function openRuntime(options: RuntimeOptions = {}): Promise<RuntimeWorld> {
  const { settings, clock = systemClock, wrapStore = (store) => store, onPublished } = options
  const folder = mkdtempSync(join(tmpdir(), 'statewright-runtime-'))
  const opened = await openStore({ folder, durability: 'crash' })
  const store = wrapStore(opened)
  const runtime = createRuntime({
    store,
    clock,
    settings: { ...defaultSettings, ...settings },
    onPublished: ({ runId, entries }) => {
      guard.published(entries)
      onPublished?.(runId, entries)
    },
  })
  const guard = createGuard({ runtime: runtime, ...options.guard })
  return {
    guard,
    runtime,
    store,
    folder,
    async close() {
      await opened.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function save(runtime: Runtime, definition: object): Promise<void> {
  const saved = await saveDefinition(runtime, ann, definition, {})
  if (!saved.ok) throw new Error(JSON.stringify(saved.error))
}

export async function start(
  runtime: Runtime,
  caller: Caller,
  request: StartRequest,
): Promise<string> {
  const started = await startRun(runtime, caller, request)
  if (!started.ok) throw new Error(started.error.message)
  return started.value.live.row.runId
}
