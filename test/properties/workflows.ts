import type { JsonObject } from '@statewright/core/internal'
import fc from 'fast-check'
import { choice, pick } from './pick.ts'
import { context, evidence, guardNames, guards, limits, meta, policy } from './workflow-fields.ts'

/** Names that a run knows from its definition, some of which hide in every object's prototype. */
export const eventNames = ['GO', 'NEXT', 'FAIL', 'OK', 'toString'] as const
export const branchNames = ['left', 'right', 'hasOwnProperty'] as const
export const interruptedFiles = ['src/*.ts', 'pb/**', '**/*.md'] as const

/** A mark, a fact, and calls that need the one not to be set and the other to be known. */
const conditions = {
  marks: { worked: { on: ['Bash', 'Edit', 'Write'] } },
  facts: { seen: { from: 'Read', forget_on: ['Write', 'WebFetch'] } },
  calls: {
    mcp__fs__write: [{ require: '!marks.worked', message: 'Nothing may leave any more.' }],
    WebFetch: [{ require: '!marks.worked', message: 'Nothing may leave any more.' }],
    Grep: [{ require: 'facts.seen', message: 'Read first.' }],
  },
}

const transition = fc.record({
  event: choice,
  pattern: choice.map((by) => by % 12),
  target: choice,
  guards: fc.array(choice, { maxLength: 2 }),
  approval: choice,
  other: choice,
})
type TransitionBy = typeof transition extends fc.Arbitrary<infer By> ? By : never

const state = fc.record({
  limits,
  safeNext: choice,
  transitions: fc.array(transition, { minLength: 1, maxLength: 4, size: 'max' }),
})
type StateBy = typeof state extends fc.Arbitrary<infer By> ? By : never

/** Mostly a branch has states to work in; it may also begin where it ends. */
const branch = fc.array(state, { maxLength: 2, size: 'max' })

const fork = fc.record({
  branches: fc.array(branch, { minLength: 1, maxLength: 3, size: 'max' }),
  join: choice,
  complete: choice,
  fail: choice,
})

/** What a state may lead to. */
interface Room {
  readonly targets: readonly string[]
  readonly invokes: readonly string[]
  /** How many forks there are; a branch has none. */
  readonly forks: readonly JsonObject[]
  readonly mayReturn: boolean
}

/**
 * A workflow that parses and checks without errors, built from small numbers so that it shrinks to
 * a readable one. It may invoke every definition that is named, itself included.
 */
export function workflow(id: string, invokes: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      states: fc.array(state, { minLength: 2, maxLength: 4 }),
      handlers: fc.array(state, { maxLength: 2, size: 'max' }),
      forks: fc.array(fork, { maxLength: 2, size: 'max' }),
      interrupts: fc.array(fc.record({ target: choice, shell: fc.boolean() }), {
        maxLength: 3,
        size: 'max',
      }),
      context,
      guards,
      evidence,
      policy: fc.option(policy, { nil: undefined }),
      meta,
      output: choice,
    })
    .map((by): JsonObject => {
      const names = by.states.map((_, index) => `s${index}`)
      const handlers = by.handlers.map((_, index) => `h${index}`)
      const interruptTargets = by.interrupts.map(({ target }) =>
        pick([...handlers, ...handlers, ...handlers, ...names, 'done', 'failed'], target),
      )
      const ends = [...names, ...names, ...names, 'done', 'failed']
      const forks = by.forks.map((one, index) => forkOf(one, index, ends))
      const room = (mayReturn: boolean): Room => ({
        targets: [...ends, ...handlers],
        invokes,
        forks: forks.map(({ written }) => written),
        mayReturn,
      })
      const states: Record<string, JsonObject> = {}
      by.states.forEach((one, index) => {
        const name = `s${index}`
        states[name] = stateOf(one, room(interruptTargets.includes(name)))
      })
      by.handlers.forEach((one, index) => {
        const name = `h${index}`
        states[name] = stateOf(one, room(interruptTargets.includes(name)))
      })
      by.forks.forEach((one, index) => {
        Object.assign(states, branchStates(one.branches, index, invokes))
      })
      return {
        id,
        initial: 's0',
        context: by.context,
        guards: by.guards as unknown as JsonObject,
        evidence: by.evidence as unknown as JsonObject,
        interrupts: Object.fromEntries(
          interruptTargets.map((target, index) => [
            `i${index}`,
            {
              trigger: {
                file_pattern: pick(interruptedFiles, index),
                shell: by.interrupts[index]?.shell === true,
              },
              target,
            },
          ]),
        ),
        ...(by.policy === undefined ? {} : { policy: by.policy as unknown as JsonObject }),
        meta: by.meta,
        ...(by.output % 2 === 1 ? conditions : {}),
        output: pick([[], ['x'], ['x', 'toString', 'w0']], by.output),
        states: {
          ...states,
          done: { type: 'final' },
          failed: { type: 'final' },
        },
      }
    })
}

function stateOf(by: StateBy, room: Room): JsonObject {
  const on: Record<string, JsonObject[string]> = {}
  for (const one of by.transitions) on[pick(eventNames, one.event)] ??= transitionOf(one, room)
  return {
    ...(by.limits as JsonObject),
    ...(by.safeNext % 4 === 3 ? { safe_next: pick(room.targets, by.safeNext) } : {}),
    on,
  }
}

function transitionOf(by: TransitionBy, room: Room): JsonObject[string] {
  const target = pick(room.targets, by.target)
  if (room.mayReturn && by.pattern % 2 === 0) return { target: '$return', ...approvalOf(by) }
  switch (by.pattern) {
    case 0:
    case 1:
    case 2:
      return target
    case 3:
    case 4:
      return guarded(by, target)
    case 5:
    case 6:
      return [
        guarded(by, target),
        { target: pick(room.targets, by.other), guard: pick(guardNames, by.other) },
        ...(by.other % 2 === 0 ? [{ target: pick(room.targets, by.target + 1) }] : []),
      ]
    case 7:
    case 8:
      return {
        invoke: pick(room.invokes, by.target),
        on_complete: pick(room.targets, by.other),
        ...(by.approval % 2 === 0 ? { on_fail: pick(room.targets, by.approval) } : {}),
        ...(by.other % 3 === 0 ? { input: { x: 1 } } : {}),
      }
    default: {
      const written = room.forks[by.target % Math.max(1, room.forks.length)]
      return written ?? target
    }
  }
}

function guarded(by: TransitionBy, target: string): JsonObject {
  return {
    target,
    ...(by.guards.length === 0 || by.other % 3 === 0
      ? {}
      : { guards: by.guards.map((one) => pick(guardNames, one)) }),
    ...approvalOf(by),
  }
}

function approvalOf(by: TransitionBy): JsonObject {
  if (by.approval % 2 !== 1) return {}
  const timeout = by.approval % 4 === 3 ? { approval_timeout_ms: 5000 } : {}
  return { requires_approval: true, approval_message: 'Ready?', ...timeout }
}

type ForkBy = typeof fork extends fc.Arbitrary<infer By> ? By : never

function forkOf(by: ForkBy, index: number, ends: readonly string[]): { written: JsonObject } {
  const branches = Object.fromEntries(
    by.branches.map((states, branch) => {
      const terminal = endOf(index, branch)
      const initial = states.length === 0 ? terminal : stateName(index, branch, 0)
      return [pick(branchNames, branch), { initial, terminal }]
    }),
  )
  return {
    written: {
      fork: {
        branches,
        join: pick(['all', 'any'], by.join),
        on_complete: pick(ends, by.complete),
        ...(by.fail % 2 === 0 ? { on_fail: pick(ends, by.fail) } : {}),
      },
    },
  }
}

/** A branch keeps to states of its own, since a branch cannot fork again. */
function branchStates(
  branches: readonly (readonly StateBy[])[],
  fork: number,
  invokes: readonly string[],
): Record<string, JsonObject> {
  const made: Record<string, JsonObject> = {}
  branches.forEach((states, branch) => {
    const own = states.map((_, index) => stateName(fork, branch, index))
    const targets = [...own, ...own, ...own, endOf(fork, branch), endOf(fork, branch), 'failed']
    states.forEach((one, index) => {
      const room = { targets, invokes, forks: [], mayReturn: false }
      made[stateName(fork, branch, index)] = stateOf(one, room)
    })
    made[endOf(fork, branch)] = { type: 'final' }
  })
  return made
}

function stateName(fork: number, branch: number, index: number): string {
  return `f${fork}b${branch}s${index}`
}

function endOf(fork: number, branch: number): string {
  return `f${fork}b${branch}end`
}
