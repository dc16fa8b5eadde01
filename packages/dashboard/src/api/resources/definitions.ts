import {
  type AnswerOf,
  type DefinitionKind,
  type DefinitionLine,
  endpoints,
} from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { readableText } from '../../model/text/readable.ts'
import { call } from '../client/client.ts'

const rows = {
  workflow: {
    get: endpoints.getWorkflow,
    save: endpoints.saveWorkflow,
    remove: endpoints.removeWorkflow,
    versions: endpoints.listWorkflowVersions,
    schema: endpoints.getWorkflowSchema,
  },
  process: {
    get: endpoints.getProcess,
    save: endpoints.saveProcess,
    remove: endpoints.removeProcess,
    versions: endpoints.listProcessVersions,
    schema: endpoints.getProcessSchema,
  },
}

/** A version of a definition with its text, as its author wrote it. */
export type DefinitionText = AnswerOf<(typeof rows)[DefinitionKind]['get']>

// Definitions do not pass through the feed: a list that is looked at again is asked again.
const staleTime = 0

export function definitionsQuery(kind: DefinitionKind) {
  return queryOptions({
    queryKey: ['definitions', kind, 'list'],
    staleTime,
    queryFn: async ({ signal }): Promise<readonly DefinitionLine[]> =>
      kind === 'workflow'
        ? (await call(endpoints.listWorkflows, { signal })).workflows
        : (await call(endpoints.listProcesses, { signal })).processes,
  })
}

/** The same list as `definitionsQuery('process')`, with the ids that sessions are started with. */
export const processesQuery = queryOptions({
  queryKey: ['definitions', 'process', 'list'],
  staleTime,
  queryFn: async ({ signal }) => (await call(endpoints.listProcesses, { signal })).processes,
})

export function definitionQuery(kind: DefinitionKind, name: string, version?: number) {
  return queryOptions({
    queryKey: ['definitions', kind, 'text', name, version ?? 'newest'],
    staleTime,
    queryFn: async ({ signal }): Promise<DefinitionText> => {
      const found = await call(rows[kind].get, { params: { name }, query: { version }, signal })
      return { ...found, text: readableText(found.text) }
    },
  })
}

/** The newest version, as it is on the server now. */
export async function newestDefinition(
  kind: DefinitionKind,
  name: string,
): Promise<DefinitionText> {
  const found = await call(rows[kind].get, { params: { name } })
  return { ...found, text: readableText(found.text) }
}

export function versionsQuery(kind: DefinitionKind, name: string) {
  return queryOptions({
    queryKey: ['definitions', kind, 'versions', name],
    staleTime,
    queryFn: async ({ signal }) => {
      const { versions } = await call(rows[kind].versions, { params: { name }, signal })
      return versions.toSorted((one, other) => other.version - one.version)
    },
  })
}

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) => (await call(endpoints.listTemplates, { signal })).templates,
})

/** The schema that editors complete by, as it is published. */
export function schemaQuery(kind: DefinitionKind) {
  return queryOptions({
    queryKey: ['schema', kind],
    queryFn: ({ signal }) => call(rows[kind].schema, { signal }),
  })
}

/** Saves the text as it is, as a new version; refused where `base` is no longer the newest one. */
export function saveDefinition(kind: DefinitionKind, name: string, text: string, base?: string) {
  return call(rows[kind].save, { params: { name }, query: { base }, body: text })
}

export function removeDefinition(kind: DefinitionKind, name: string) {
  return call(rows[kind].remove, { params: { name } })
}

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  staleTime: 0,
  queryFn: ({ signal }) => call(endpoints.listPolicies, { signal }),
})

export function policyVersionsQuery(name: string) {
  return queryOptions({
    queryKey: ['policies', 'versions', name],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const answer = await call(endpoints.listPolicyVersions, { params: { name }, signal })
      return answer.versions
    },
  })
}

/** An allowed call uses up a rate without a word in the feed about it, so the clock asks. */
const usageEveryMs = 5000

export const policyUsageQuery = queryOptions({
  queryKey: ['usage', 'policies'],
  staleTime: 0,
  refetchInterval: usageEveryMs,
  queryFn: ({ signal }) => call(endpoints.getUsage, { query: { hours: 48, days: 31 }, signal }),
})
