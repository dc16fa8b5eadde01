import { z } from 'zod'
import { WorkflowDefinition } from '../definition/workflow-schema.ts'
import {
  DefinitionLine,
  DefinitionVersions,
  Graph,
  GraphQuery,
  SaveQuery,
  VersionQuery,
} from './definition.ts'
import { endpoint } from './endpoint.ts'
import { Finding } from './problem.ts'

export const Workflow = DefinitionLine.extend({
  definition: WorkflowDefinition,
  text: z.string().describe('As its author wrote it.'),
})
export type Workflow = z.infer<typeof Workflow>

export const workflowEndpoints = {
  listWorkflows: endpoint({
    method: 'GET',
    path: '/api/workflows',
    who: 'agent',
    summary: 'List the workflows.',
    answers: { 200: z.object({ workflows: z.array(DefinitionLine) }) },
  }),
  checkDefinition: endpoint({
    method: 'POST',
    path: '/api/workflows/validate',
    who: 'agent',
    summary: 'Check a definition, in JSON or YAML, without saving it.',
    reads: 'definition',
    answers: { 200: z.object({ ok: z.boolean(), findings: z.array(Finding) }) },
  }),
  getWorkflow: endpoint({
    method: 'GET',
    path: '/api/workflows/:name',
    who: 'agent',
    summary: 'Read a workflow, the newest version or another.',
    query: VersionQuery,
    answers: { 200: Workflow },
  }),
  saveWorkflow: endpoint({
    method: 'PUT',
    path: '/api/workflows/:name',
    who: 'person',
    summary: 'Save a workflow, in JSON or YAML, as a new version.',
    reads: 'definition',
    query: SaveQuery,
    answers: { 200: DefinitionLine.extend({ findings: z.array(Finding) }) },
  }),
  removeWorkflow: endpoint({
    method: 'DELETE',
    path: '/api/workflows/:name',
    who: 'person',
    summary: 'Remove a workflow; its runs keep the version that they use.',
    proof: 'define',
    answers: { 200: z.object({ name: z.string(), removed: z.literal(true) }) },
  }),
  listWorkflowVersions: endpoint({
    method: 'GET',
    path: '/api/workflows/:name/versions',
    who: 'agent',
    summary: 'List the versions of a workflow.',
    answers: { 200: DefinitionVersions },
  }),
  drawWorkflow: endpoint({
    method: 'GET',
    path: '/api/workflows/:name/graph',
    who: 'agent',
    summary: 'Draw a workflow: as nodes and edges, Mermaid or DOT.',
    query: GraphQuery,
    answers: { 200: Graph },
  }),
}
