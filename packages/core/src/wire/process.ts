import { z } from 'zod'
import { ProcessDefinition } from '../process/process-schema.ts'
import {
  DefinitionVersions,
  definitionFacts,
  Graph,
  GraphQuery,
  SaveQuery,
  VersionQuery,
} from './definition.ts'
import { endpoint } from './endpoint.ts'
import { Finding } from './problem.ts'

/**
 * A process is one document, with what the system assigned to it (PR-1). It is loose because
 * anyone who read one may change it and send it back: a restriction that only a newer server knows
 * must not get lost on the way.
 */
export const Process = z.looseObject({
  ...ProcessDefinition.shape,
  ...definitionFacts,
  id: z.string(),
  createdAt: z.string().describe('In ISO form.'),
  updatedAt: z.string().describe('In ISO form.'),
})
export type Process = z.infer<typeof Process>

export const SavedProcess = Process.extend({ findings: z.array(Finding) })

export const ProcessText = Process.extend({ text: z.string().describe('As its author wrote it.') })

/** Processes by name (PR-11). */
export const processEndpoints = {
  listProcesses: endpoint({
    method: 'GET',
    path: '/api/processes',
    who: 'agent',
    summary: 'List the processes.',
    answers: { 200: z.object({ processes: z.array(Process) }) },
  }),
  createProcess: endpoint({
    method: 'POST',
    path: '/api/processes',
    who: 'person',
    summary: 'Save a new process, in JSON or YAML.',
    reads: 'definition',
    query: SaveQuery,
    answers: { 201: SavedProcess },
  }),
  getProcess: endpoint({
    method: 'GET',
    path: '/api/processes/:name',
    who: 'agent',
    summary: 'Read a process, the newest version or another.',
    query: VersionQuery,
    answers: { 200: ProcessText },
  }),
  saveProcess: endpoint({
    method: 'PUT',
    path: '/api/processes/:name',
    who: 'person',
    summary: 'Change a process; live runs keep their version.',
    reads: 'definition',
    query: SaveQuery,
    answers: { 200: SavedProcess },
  }),
  removeProcess: endpoint({
    method: 'DELETE',
    path: '/api/processes/:name',
    who: 'person',
    summary: 'Remove a process; its runs keep the version that they use.',
    proof: 'define',
    answers: { 200: Process },
  }),
  listProcessVersions: endpoint({
    method: 'GET',
    path: '/api/processes/:name/versions',
    who: 'agent',
    summary: 'List the versions of a process.',
    answers: { 200: DefinitionVersions },
  }),
  drawProcess: endpoint({
    method: 'GET',
    path: '/api/processes/:name/graph',
    who: 'agent',
    summary: 'Draw a process: as nodes and edges, Mermaid or DOT.',
    query: GraphQuery,
    answers: { 200: Graph },
  }),
}
