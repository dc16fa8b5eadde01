import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import type { Walk } from '../walk.ts'

const workflow = {
  id: 'walk-written',
  initial: 'open',
  states: {
    open: { allowed_tools: ['Read'], on: { GO: 'done' } },
    done: { type: 'final' },
    lost: { type: 'final' },
  },
  meta: { description: 'walked' },
}
const process = {
  name: 'walk-asked',
  initial: 'sure',
  initial_prompt: 'Look first.',
  states: {
    sure: {
      question: 'Sure?',
      answers: { yes: { next: 'end' }, no: { next: null, action: 'block' } },
    },
    end: { question: 'Done?' },
  },
  policy: { allow: [{ capability: 'Read' }], default: 'deny' },
}

/** What authors write: saved, read, listed, drawn and removed. */
export async function definitionSteps(walk: Walk): Promise<void> {
  await workflows(walk)
  await processes(walk)
  const { templates } = await walk.call(endpoints.listTemplates)
  expect(new Set(templates.map(({ kind }) => kind))).toEqual(new Set(['workflow', 'process']))
  await walk.call(endpoints.getWorkflowSchema)
  await walk.call(endpoints.getProcessSchema)
}

async function workflows(walk: Walk): Promise<void> {
  const params = { name: workflow.id }
  const body = JSON.stringify(workflow)
  const { findings } = await walk.call(endpoints.checkDefinition, { body })
  expect(findings.length).toBeGreaterThan(0)
  const draft = JSON.stringify({ ...workflow, meta: {} })
  await walk.call(endpoints.saveWorkflow, { params, body: draft, query: { draft: 'true' } })
  const saved = await walk.call(endpoints.saveWorkflow, { params, body })
  expect([saved.version, saved.draft, saved.findings.length > 0]).toEqual([2, false, true])
  const one = await walk.call(endpoints.getWorkflow, { params, query: { version: 1 } })
  expect([one.draft, one.text]).toEqual([true, draft])
  const { workflows } = await walk.call(endpoints.listWorkflows)
  expect(workflows.find(({ name }) => name === params.name)?.description).toBe('walked')
  const { versions } = await walk.call(endpoints.listWorkflowVersions, { params })
  expect(versions).toHaveLength(2)
  const { nodes } = await walk.call(endpoints.drawWorkflow, { params })
  expect(nodes.map(({ name }) => name)).toEqual(['open', 'done', 'lost'])
  await walk.call(endpoints.removeWorkflow, { params })
}

async function processes(walk: Walk): Promise<void> {
  const params = { name: process.name }
  await walk.call(endpoints.createProcess, { body: JSON.stringify(process) })
  const changed = { ...process, session_budget_usd: 5 }
  const body = JSON.stringify(changed)
  const saved = await walk.call(endpoints.saveProcess, { params, body })
  expect([saved.version, saved.session_budget_usd]).toEqual([2, 5])
  const one = await walk.call(endpoints.getProcess, { params, query: { version: 1 } })
  expect(one.text).toBe(JSON.stringify(process))
  const { processes } = await walk.call(endpoints.listProcesses)
  expect(processes.map(({ name }) => name)).toContain(params.name)
  const { versions } = await walk.call(endpoints.listProcessVersions, { params })
  expect(versions).toHaveLength(2)
  const { edges } = await walk.call(endpoints.drawProcess, { params })
  expect(edges.length).toBeGreaterThan(0)
  await walk.call(endpoints.removeProcess, { params })
}
