import { isUnfinishedStatus, ok, parseWorkflow } from '@statewright/core/internal'
import { Approval, DefinitionLine, Run, RunLine } from '@statewright/core/wire'
import { z } from 'zod'
import { activeRows } from '../../guard/which-run.ts'
import type { LiveRun } from '../../runtime/live-runs.ts'
import { viewRun } from '../../runtime/runs/read-run.ts'
import type { DefinitionRow } from '../../store/store.ts'
import { callersRun, type ToolCaller } from '../tool-caller.ts'
import { RunState } from './shapes.ts'
import { ownTool, RunHandle } from './tool.ts'

export const getState = ownTool({
  name: 'statewright_get_state',
  description: 'The current state of the run, tools allowed now, events and what they need.',
  input: z.object({ run: RunHandle }),
  output: RunState,
  isReading: true,
  async call(from, { run }) {
    const found = await callersRun(from, run)
    if (!found.ok) return found
    return ok(plain(viewRun(found.value, from.caller)))
  },
})

/** What is shown is JSON: a copy drops what JSON does not know, and the readonly of the view. */
function plain<Shape>(value: object): Shape {
  return JSON.parse(JSON.stringify(value)) as Shape // The schema's test compares the two.
}

const WorkflowRow = z.looseObject({
  ...DefinitionLine.pick({ name: true, kind: true, version: true, draft: true }).shape,
  description: z.string().nullable(),
  active: z.boolean(),
})

export const listWorkflows = ownTool({
  name: 'statewright_list_workflows',
  description: 'Workflows and processes that may be loaded, and which of them is active.',
  input: z.object({}),
  output: z.looseObject({ workflows: z.array(WorkflowRow), active: z.string().nullable() }),
  isReading: true,
  async call(from) {
    const run = await callersRun(from, undefined)
    const active = run.ok ? run.value.row.workflow : null
    const rows = await from.runtime.store.definitions.list()
    const workflows = rows.map((row) => ({
      name: row.name,
      kind: row.kind,
      description: descriptionOf(row),
      version: row.version,
      draft: row.draft,
      active: row.name === active,
    }))
    return ok({ workflows, active })
  },
})

function descriptionOf(row: DefinitionRow): string | null {
  if (row.kind !== 'workflow') return null
  return parseWorkflow(row.text).definition?.meta?.description ?? null
}

const active = Run.pick({ run_id: true, workflow: true, status: true, state: true, brief: true })
const usage = Run.pick({
  calls: true,
  denials: true,
  transition_count: true,
  cost_usd: true,
  limits: true,
})
const pending = Approval.pick({ approval_id: true, kind: true, message: true })
const line = RunLine.pick({ run_id: true, workflow: true, status: true })

export const getStatus = ownTool({
  name: 'statewright_get_status',
  description: 'The active run, what it has used, and approvals that wait for a person.',
  input: z.object({}),
  output: z.looseObject({
    active: z.looseObject(active.shape).nullable(),
    usage: z.looseObject(usage.shape).nullable(),
    pending_approvals: z.array(z.looseObject(pending.shape)),
    runs: z.array(z.looseObject(line.shape)),
  }),
  isReading: true,
  async call(from) {
    const found = await callersRun(from, undefined)
    const rows = await activeRows(from.runtime, from.caller)
    const runs = rows
      .filter((row) => isUnfinishedStatus(row.status))
      .map(({ runId, workflow, status }) => ({ run_id: runId, workflow, status }))
    if (!found.ok) return ok({ active: null, usage: null, pending_approvals: [], runs })
    return ok({ ...(await statusOf(from, found.value)), runs })
  },
})

async function statusOf(from: ToolCaller, live: LiveRun) {
  const view = viewRun(live, from.caller)
  const { run_id, workflow, status, state, brief, calls, denials, transition_count } = view
  const waiting = await from.runtime.store.approvals.list({
    status: 'waiting',
    runId: run_id,
    limit: 50,
  })
  return {
    active: { run_id, workflow, status, state, brief },
    usage: {
      calls,
      denials,
      transition_count,
      cost_usd: view.cost_usd,
      limits: { ...view.limits },
    },
    pending_approvals: waiting.map(({ approvalId, kind, message }) => ({
      approval_id: approvalId,
      kind,
      message,
    })),
  }
}
