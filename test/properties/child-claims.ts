import assert from 'node:assert/strict'
import type { Entry } from '@statewright/core/internal'
import type { TransitionDefinition } from '../../packages/core/src/definition/workflow-schema.ts'
import type { Story } from './story.ts'
import type { World } from './world.ts'

type Invoked = Extract<Entry, { type: 'invoked' }>

/** WF-23: children end in the order they began, and their parents go on where it is written. */
export function childrenReturnWhereWritten({ world, taken }: Story): void {
  const stacks = new Map<string, { machine: string; begun: Invoked }[]>()
  for (const { before, step } of taken) {
    for (const entry of step.entries) {
      const lane = entry.branch ?? ''
      const stack = stacks.get(lane) ?? []
      stacks.set(lane, stack)
      if (entry.type === 'forced') stacks.clear()
      if (entry.type === 'branch_ended') stacks.set(lane, [])
      if (entry.type === 'invoked') {
        stack.push({ machine: parentOf(before, entry), begun: entry })
      }
      if (entry.type !== 'invoke_ended') continue
      const started = stack.pop()
      assert.equal(entry.workflow, started?.begun.workflow, 'the last child ends first')
      if (started === undefined) continue
      const written = transitionAt(world, started.machine, started.begun)
      assert.ok(typeof written === 'object' && 'invoke' in written)
      assert.equal(entry.to, (entry.succeeded ? written.on_complete : written.on_fail) ?? null)
    }
  }
}

function parentOf(before: Story['last'], entry: Invoked): string {
  const branch = before.fork?.branches.find((one) => one.name === entry.branch)
  return (branch?.lane ?? before.main).frames.at(-1)?.machine ?? ''
}

function transitionAt(
  world: World,
  machine: string,
  { from, event }: { readonly from: string; readonly event: string },
): TransitionDefinition | undefined {
  return world.workflows.get(machine)?.states[from]?.on?.[event]
}

/** WF-24: a fork joins as its `join` says, and the parent goes on where it is written. */
export function forksJoinAsWritten({ world, taken }: Story): void {
  let fork: { written: TransitionDefinition | undefined; ends: string[]; count: number } | null =
    null
  for (const { before, step } of taken) {
    for (const entry of step.entries) {
      if (entry.type === 'forked') {
        const machine = before.main.frames.at(-1)?.machine ?? ''
        const written = transitionAt(world, machine, entry)
        fork = { written, ends: [], count: entry.branches.length }
      }
      if (entry.type === 'branch_ended') fork?.ends.push(entry.status)
      if (entry.type !== 'joined' || fork === null) continue
      const { written, ends, count } = fork
      assert.ok(typeof written === 'object' && 'fork' in written)
      const { join, on_complete, on_fail } = written.fork
      const completed = ends.filter((status) => status === 'completed').length
      assert.equal(ends.length, count)
      assert.equal(entry.succeeded, join === 'any' ? completed > 0 : completed === count)
      assert.equal(entry.to, (entry.succeeded ? on_complete : on_fail) ?? null)
    }
  }
}
