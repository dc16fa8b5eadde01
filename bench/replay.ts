import { readFileSync } from 'node:fs'
import {
  chainEntries,
  describeFor,
  type Entry,
  type RunEvent,
  reduceRun,
} from '@statewright/core/internal'
import { systemClock } from '../packages/server/src/base/clock.ts'
import { sha256 } from '../packages/server/src/runtime/dispatch.ts'
import { saveDefinition } from '../packages/server/src/runtime/rules/definitions.ts'
import { startRun } from '../packages/server/src/runtime/runs/start-run.ts'
import type { Runtime } from '../packages/server/src/runtime/runtime.ts'
import { type BenchResult, quantile } from './measure.ts'
import { caller, startRuntime } from './runtime-kit.ts'
import { type BenchServer, elapsedMs, post, startOurs, temporaryFolder } from './server-kit.ts'

const decisions = Number(process.env.SW_BENCH_DECISIONS ?? 1_000_000)
const perRun = 200

const recorded = {
  id: 'recorded',
  initial: 'working',
  evidence: {
    tests: { tool: 'Bash', command: 'npm test', exit: 'success', stale_after: ['src/**'] },
  },
  states: { working: { max_iterations: 10_000, on: { DONE: 'done' } }, done: { type: 'final' } },
}

/** The same with a list of commands, a condition and a rate: every fifth call would be denied. */
const tried = {
  ...recorded,
  calls: { Write: [{ require: '!files.exists(f, f.path.startsWith("secret/"))', message: 'No.' }] },
  policy: { allow: [{ capability: 'read', rate_limit: { max_calls: 1000, window_seconds: 60 } }] },
  states: {
    ...recorded.states,
    working: { ...recorded.states.working, allowed_commands: ['npm test', 'git'] },
  },
}

/**
 * Trying a changed workflow on a million recorded decisions, in seconds, while the server answers:
 * how long it takes to say that it is well, and what memory it has at most.
 */
export async function benchReplay(): Promise<BenchResult> {
  const folder = temporaryFolder()
  try {
    await fill(folder.path)
    const server = await startOurs(folder.path)
    try {
      const quiet = await healthTimes(server, 200)
      const started = process.hrtime.bigint()
      const body = { definition: JSON.stringify(tried) }
      const { replay_id: id } = JSON.parse((await post(server, '/api/replays', body)).body)
      const times: number[] = []
      let replay: { status: string; report?: { decisions: number } }
      do {
        times.push(...(await healthTimes(server, 20)))
        replay = JSON.parse((await post(server, `/api/replays/${id}`, {}, 'GET')).body)
      } while (replay.status === 'running')
      const seconds = elapsedMs(started) / 1000
      if (replay.report?.decisions !== decisions)
        throw new Error(JSON.stringify(replay).slice(0, 500))
      return {
        name: 'replay',
        value: seconds,
        unit: `s for ${decisions} decisions`,
        target: '<= 60',
        more: {
          'health p99 ms': quantile(times, 0.99),
          'health p99 ms without': quantile(quiet, 0.99),
          'memory MB': peakMemoryMb(server.pid),
        },
      }
    } finally {
      await server.close()
    }
  } finally {
    folder.remove()
  }
}

async function healthTimes(server: BenchServer, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const started = process.hrtime.bigint()
    await post(server, '/healthz', {}, 'GET')
    times.push(elapsedMs(started))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return times
}

/** The most that it ever had in memory, as the kernel counts it. */
function peakMemoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

async function fill(folder: string): Promise<void> {
  // Four agents work at a time.
  let now = Date.UTC(2026, 0, 1)
  const clock = { ...systemClock, now: () => now }
  const { runtime, close } = await startRuntime(folder, 'crash', clock)
  try {
    const saved = await saveDefinition(runtime, caller, recorded, {})
    if (!saved.ok) throw new Error(saved.error.message)
    for (let written = 0; written < decisions; written += perRun) {
      await fillRun(runtime, Math.min(perRun, decisions - written), written)
      now += (perRun * 1000) / 4
    }
  } finally {
    await close()
  }
}

/** A run with calls as coding agents make them, each with its result. */
async function fillRun(runtime: Runtime, calls: number, from: number): Promise<void> {
  const started = await startRun(runtime, caller, { workflow: recorded.id })
  if (!started.ok) throw new Error(started.error.message)
  const { program, row, snapshot } = started.value.live
  const by = { kind: 'agent', id: 'bench' } as const
  const entries: Entry[] = []
  let run = snapshot
  const take = (event: RunEvent) => {
    const step = reduceRun(program, run, event)
    run = step.run
    entries.push(...step.entries)
  }
  for (let index = 0; index < calls; index++) {
    const at = row.createdAt + index * 1000
    const id = `call-${from + index}`
    const call = describeFor(program, { id, ...callOf(index) }, { root: '/srv/work' })
    const approval = { approvalId: `apr-${id}`, approvalExpiresAt: at + 1000 }
    take({ type: 'tool_requested', at, by, call, ...approval })
    const result = { callId: id, bytes: 500, exit: 'success', source: 'observed' } as const
    take({ type: 'tool_finished', at: at + 500, by, ...result })
  }
  const made = chainEntries({ seq: row.seq, hash: row.chain }, entries, sha256)
  const committed = await runtime.store.runs.append(row.runId, {
    ...{ afterSeq: row.seq, entries: made, row: { ...row, updatedAt: run.visits + row.updatedAt } },
  })
  if (committed.kind !== 'committed') throw new Error('the run could not be filled')
  runtime.live.drop(row.runId)
}

const commands = ['npm test', 'git diff --stat', 'npx tsc --noEmit', 'rg -n "TODO" src', 'ls -la']

function callOf(index: number): { readonly tool: string; readonly input: object } {
  const file_path = `src/file-${index % 40}.ts`
  switch (index % 5) {
    case 0:
      return { tool: 'Bash', input: { command: commands[(index / 5) % commands.length] } }
    case 1:
      return { tool: 'Edit', input: { file_path, old_string: 'one\ntwo', new_string: 'three' } }
    case 2:
      return { tool: 'Write', input: { file_path, content: 'export const one = 1\n' } }
    case 3:
      return { tool: 'Grep', input: { pattern: 'TODO', path: 'src' } }
    default:
      return { tool: 'Read', input: { file_path } }
  }
}
