import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { systemClock } from '../base/clock.ts'
import type { RuntimeProblem } from '../base/problem.ts'
import { createGuard } from '../guard/guard.ts'
import { programPaths } from '../home/program-paths.ts'
import { createRuntime, type Published } from '../runtime/create-runtime.ts'
import { saveDefinition } from '../runtime/rules/definitions.ts'
import { expireApprovals, resolveApproval } from '../runtime/runs/approvals.ts'
import { startRun } from '../runtime/runs/start-run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { defaultSettings } from '../runtime/settings.ts'
import { openStore } from '../store/open.ts'
import { embeddedRun } from './embedded-run.ts'
import {
  type People,
  type StartOptions,
  type Statewright,
  StatewrightError,
} from './statewright.ts'

export interface EmbeddedOptions {
  /** A folder of its own; omitted, everything is forgotten at the end. */
  readonly data?: string
  readonly strict?: boolean
  /** The role that policies see. */
  readonly role?: string
}

/** Here the program is the person as well. */
export interface EmbeddedStatewright extends Statewright {
  readonly people: People
}

const sweepMs = 1000

/**
 * Statewright inside your own program: no server, the same decisions.
 *
 * @example
 * import { createStatewright } from 'statewright/sdk'
 *
 * const statewright = await createStatewright()
 * const run = await statewright.start({
 *   definition: {
 *     id: 'look',
 *     initial: 'reading',
 *     states: {
 *       reading: { allowed_tools: ['Read'], on: { DONE: 'done' } },
 *       done: { type: 'final' },
 *     },
 *   },
 * })
 * const { decision, code } = await run.check({ tool: 'Write', input: { file_path: 'a.ts' } })
 * console.log(decision, code) // deny tool_not_allowed
 * await statewright.close()
 */
export async function createStatewright(
  options: EmbeddedOptions = {},
): Promise<EmbeddedStatewright> {
  const { data, strict = false, role = 'agent' } = options
  const folder = data ?? mkdtempSync(join(tmpdir(), 'statewright-'))
  const store = await openStore({ folder, durability: 'crash' })
  const settings = {
    ...defaultSettings,
    strict,
    protectedPaths: [folder],
    program: programPaths(),
  }
  const onPublished = ({ entries }: Published) => guard.published(entries)
  const runtime: Runtime = createRuntime({ store, clock: systemClock, settings, onPublished })
  const guard = createGuard({ runtime: runtime })
  // The program is the person; what it guards is the agent. Both own the same runs.
  const person: Caller = { tokenId: 'embedded', kind: 'person', role, name: 'the program' }
  const agent: Caller = { tokenId: 'embedded', kind: 'agent', role, name: 'the agent' }
  const sweeper = setInterval(() => expireApprovals(runtime).catch(() => {}), sweepMs)
  // A program that has nothing else to do may end.
  sweeper.unref()
  return {
    start: async (run) => embeddedRun(guard, agent, await startedId(runtime, person, run)),
    run: (runId) => embeddedRun(guard, agent, runId),
    people: embeddedPeople(runtime, person),
    async close() {
      clearInterval(sweeper)
      await store.close()
      if (data === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function embeddedPeople(runtime: Runtime, person: Caller): People {
  return {
    async save(definition) {
      const { name, version } = orThrow(await saveDefinition(runtime, person, definition, {}))
      return { name, version }
    },
    async approvals() {
      const rows = await runtime.store.approvals.list({ status: 'waiting', limit: 1000 })
      return rows.map(({ approvalId, runId, kind, message }) => ({
        approvalId,
        runId,
        kind,
        message,
      }))
    },
    async approve(approvalId, note) {
      const more = note === undefined ? {} : { note }
      orThrow(await resolveApproval(runtime, person, { approvalId, verdict: 'approve', ...more }))
    },
    async reject(approvalId, note) {
      const verdict = { approvalId, verdict: 'reject', note } as const
      orThrow(await resolveApproval(runtime, person, verdict))
    },
  }
}

async function startedId(runtime: Runtime, by: Caller, run: StartOptions): Promise<string> {
  return orThrow(await startRun(runtime, by, run)).live.row.runId
}

function orThrow<Value>(result: Result<Value, RuntimeProblem>): Value {
  if (result.ok) return result.value
  throw new StatewrightError(result.error.code, result.error.message, result.error)
}
