import assert from 'node:assert/strict'
import type { Lane, RunSnapshot } from '@statewright/core/internal'
import type { CallRecord, Frame } from '../../packages/core/src/run/snapshot.ts'
import type { Story } from './story.ts'

/** The patterns of our generators, matched by hand (WF-30). */
const globs: Readonly<Record<string, (file: string) => boolean>> = {
  'src/*.ts': (file) => /^src\/[^/]*\.ts$/.test(file),
  'pb/**': (file) => file.startsWith('pb/'),
  '**/*.md': (file) => file.endsWith('.md'),
}

/** WF-28, WF-29: a finished edit detours by the first interrupt that matches, and only then. */
export function finishedEditsDetour({ world, taken }: Story): void {
  for (const { before, event, step } of taken) {
    if (event.type !== 'tool_finished' || step.refusal !== undefined) continue
    const call = before.calls.find((one) => one.id === event.callId)
    const lane = call === undefined ? null : laneOf(before, call)
    const fired = step.entries.find((entry) => entry.type === 'interrupted')
    if (call === undefined || lane === null) continue
    const isLive = before.status === 'running' || before.status === 'waiting'
    const mayFire = isLive && call.status === 'open' && event.exit !== 'failure'
    const frame = lane.frames.at(-1)
    const wanted = mayFire && frame !== undefined ? detourOf(world, frame, call) : undefined
    assert.equal(fired?.to, wanted)
    if (fired !== undefined) assert.equal(fired.from, frame?.state)
  }
}

function detourOf(world: Story['world'], frame: Frame, call: CallRecord): string | undefined {
  const definition = world.workflows.get(frame.machine)
  if (definition === undefined || frame.interrupt !== null) return undefined
  for (const { trigger, target } of Object.values(definition.interrupts ?? {})) {
    const files = [...call.files, ...(trigger.shell === true ? call.shellFiles : [])]
    const pattern = trigger.file_pattern ?? ''
    if (!files.some((file) => globs[pattern]?.(file))) continue
    return target === frame.state ? undefined : target
  }
  return undefined
}

/** The place a call was made in, while it is still there; null for what no rule speaks of. */
function laneOf(run: RunSnapshot, call: CallRecord): Lane | null {
  if (run.fork === null) return run.main
  const branch = run.fork.branches.find((one) => one.name === call.branch)
  const isOpen = branch?.status === 'running' || branch?.status === 'pending'
  return branch !== undefined && isOpen ? branch.lane : null
}

/** WF-29: returning leads to the interrupted state, whose counters go on as they were. */
export function returnsGoOn({ taken }: Story): void {
  for (const { before, step } of taken) {
    const back = step.entries.find((entry) => entry.type === 'returned')
    if (back === undefined) continue
    const was = laneNamed(before, back.branch)?.frames.at(-1)
    const now = laneNamed(step.run, back.branch)?.frames.at(-1)
    assert.equal(now?.state, was?.interrupt?.returnTo)
    assert.deepEqual(now?.counters, was?.interrupt?.counters)
    assert.equal(now?.interrupt, null)
  }
}

function laneNamed(run: RunSnapshot, branch: string | undefined): Lane | undefined {
  if (branch === undefined) return run.main
  return run.fork?.branches.find((one) => one.name === branch)?.lane
}
