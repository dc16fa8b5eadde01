import type { JsonObject } from '../base/json.ts'
import type { Program } from '../machine/machine.ts'
import { engine } from '../run/engine.ts'
import type { RunStarted } from '../run/events.ts'
import { topFrame } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { baselineAtStart } from './baseline.ts'
import { dataFault } from './data.ts'
import { finish, record, refuse, startDraft } from './draft.ts'
import { settle } from './settle.ts'
import { taskAtStart } from './task.ts'

/** Starts a run. A refusal (reserved keys in its context) leaves a run that never began. */
export function startRun(program: Program, event: RunStarted): Step {
  const draft = startDraft(program, blank(program, event), event)
  const fault = dataFault(event.context)
  if (fault !== null) return refuse(draft, fault.code, fault.message)
  const { hash: definition, root } = program
  record(draft, { type: 'run_started', definition, state: root.initial, engine })
  settle(draft, null)
  return finish(draft, { type: 'started', state: topFrame(draft.run.main).state })
}

function blank(program: Program, event: RunStarted): RunSnapshot {
  const context: JsonObject = { ...program.root.context, ...event.context }
  return {
    engine,
    status: 'running',
    settings: {
      strict: event.strict === true,
      locked: event.locked === true || program.root.meta.locked === true,
      ...(event.inSession === true ? { inSession: true as const } : {}),
      ...(event.budgetOf === undefined ? {} : { budgetOf: event.budgetOf }),
    },
    main: {
      frames: [
        {
          machine: program.root.id,
          state: program.root.initial,
          context,
          counters: { visit: 1, iterations: 0, bytes: 0, files: [] },
          interrupt: null,
          evidence: {},
          baseline: baselineAtStart(event.digests),
          rejected: null,
          invoked: null,
        },
      ],
      approval: null,
    },
    fork: null,
    transitionCount: 0,
    visits: 1,
    calls: [],
    asks: [],
    resolved: [],
    lastBranches: [],
    costMicros: 0,
    mailsSent: 0,
    ...(event.marks === undefined ? {} : { marks: event.marks }),
    ...taskAtStart(program, event),
  }
}
