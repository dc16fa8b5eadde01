// What programs of others use of the pure core. `@statewright/core/shell` judges single commands,
// `@statewright/core/wire` describes the HTTP API; our own packages have `/internal`.

export { defineWorkflow } from './definition/define-workflow.ts'
export type { Finding } from './definition/finding.ts'
export type { Call } from './library/call.ts'
export { check, compile, type Program } from './library/compile.ts'
export type { Event } from './library/event.ts'
export { toDot, toMermaid } from './library/graph.ts'
export { replay, verify } from './library/history.ts'
export { decide, explain, type Step, start, step, view } from './library/run.ts'
export type { Decision } from './run/decision.ts'
export type { Entry } from './run/entries.ts'
export type { RunSnapshot as Snapshot } from './run/snapshot.ts'
export type { RunView as View } from './view/run-view.ts'
