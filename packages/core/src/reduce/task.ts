import { limits } from '../base/limits.ts'
import type { Machine, Program } from '../machine/machine.ts'
import type { RunStarted, TaskGiven } from '../run/events.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record } from './draft.ts'

/** Whether a condition of the program reads what people asked for; else it is not kept (FC-11). */
export function readsTask({ machines }: Program): boolean {
  return [...machines.values()].some(hasTask)
}

function hasTask({ calls, facts, marks, interrupts, policy, states }: Machine): boolean {
  const inStates = [...states.values()]
  const guards = inStates.flatMap(({ transitions }) =>
    [...transitions.values()].flatMap((transition) =>
      transition.kind === 'move' ? transition.candidates.flatMap((one) => one.guards) : [],
    ),
  )
  const rules = policy === null ? [] : [...[...policy.exact.values()].flat(), ...policy.prefixes]
  const conditions = [
    ...[...calls, ...inStates.flatMap((state) => state.calls)].map(({ require }) => require),
    ...facts.flatMap(({ when, each, key, value }) => [when, each, key, value]),
    ...[...marks, ...interrupts, ...rules, ...(policy?.marks ?? [])].map(({ when }) => when),
    ...guards.map((guard) => (guard.kind === 'condition' ? guard.condition : null)),
  ]
  return conditions.some((condition) => condition?.reads.variables.has('task') === true)
}

/** No agent says what it was asked for: neither when it starts a run nor later. */
export function taskAtStart(program: Program, event: RunStarted): Pick<RunSnapshot, 'task'> {
  const { task, by } = event
  if (task === undefined || by.kind === 'agent' || !readsTask(program)) return {}
  return { task: newest(task) }
}

export function onTaskGiven(draft: Draft<TaskGiven>): Step {
  const { event, run, program } = draft
  const { text, by } = event
  if (by.kind === 'agent' || text.trim() === '' || !readsTask(program)) {
    return finish(draft, { type: 'recorded', notices: [] })
  }
  const task = run.task === undefined ? text : `${run.task}\n${text}`
  draft.run = { ...run, task: newest(task) }
  record(draft, { type: 'task_given', bytes: text.length, by: by.id })
  return finish(draft, { type: 'recorded', notices: [] })
}

function newest(text: string): string {
  return text.length <= limits.taskBytes ? text : text.slice(-limits.taskBytes).toWellFormed()
}
