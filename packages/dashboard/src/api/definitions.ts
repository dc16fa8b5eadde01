import { type Finding, isJsonObject } from '@statewright/core'
import { queryOptions } from '@tanstack/react-query'
import { readableText } from '../model/text/readable.ts'
import { ask, segment } from './client.ts'
import type { WorkflowLine } from './types.ts'

export type DefinitionKind = 'workflow' | 'process'

/** A version of a definition with its text, as its author wrote it. */
export interface DefinitionText extends WorkflowLine {
  readonly text: string
}

export interface Template {
  readonly name: string
  readonly kind: DefinitionKind
  readonly description: string
  readonly text: string
}

const doors: Readonly<Record<DefinitionKind, 'workflows' | 'processes'>> = {
  workflow: 'workflows',
  process: 'processes',
}

function pathOf(kind: DefinitionKind, name: string): string {
  return `/api/${doors[kind]}/${segment(name)}`
}

export function definitionsQuery(kind: DefinitionKind) {
  return queryOptions({
    queryKey: ['definitions', kind, 'list'],
    // Definitions do not pass through the feed: a list that is looked at anew is asked anew.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly WorkflowLine[]> => {
      const door = doors[kind]
      const answer = await ask<Record<string, WorkflowLine[]>>('GET', `/api/${door}`, { signal })
      return (answer[door] ?? []).map(described)
    },
  })
}

/** A process keeps its description where its author wrote it. */
function described(line: WorkflowLine & { readonly meta?: unknown }): WorkflowLine {
  const text = isJsonObject(line.meta) ? line.meta.description : undefined
  return typeof text === 'string' ? { description: text, ...line } : line
}

export function definitionQuery(kind: DefinitionKind, name: string, version?: number) {
  return queryOptions({
    queryKey: ['definitions', kind, 'text', name, version ?? 'newest'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const query = { version }
      const found = await ask<DefinitionText>('GET', pathOf(kind, name), { query, signal })
      return { ...found, text: readableText(found.text) }
    },
  })
}

export function versionsQuery(kind: DefinitionKind, name: string) {
  return queryOptions({
    queryKey: ['definitions', kind, 'versions', name],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const path = `${pathOf(kind, name)}/versions`
      const { versions } = await ask<{ versions: WorkflowLine[] }>('GET', path, { signal })
      return versions.toSorted((one, other) => other.version - one.version)
    },
  })
}

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }) => {
    const answer = await ask<{ templates: Template[] }>('GET', '/api/templates', { signal })
    return answer.templates
  },
})

/** The schema that editors complete by, as it is published. */
export function schemaQuery(kind: DefinitionKind) {
  return queryOptions({
    queryKey: ['schema', kind],
    queryFn: ({ signal }) => ask<unknown>('GET', `/${kind}-schema.json`, { signal }),
  })
}

export interface SavedDefinition {
  readonly name: string
  readonly version: number
  readonly hash: string
  readonly findings: readonly Finding[]
}

/** Saves the text as it is, as a new version. */
export function saveDefinition(
  kind: DefinitionKind,
  name: string,
  text: string,
): Promise<SavedDefinition> {
  return ask<SavedDefinition>('PUT', pathOf(kind, name), { body: text })
}

export function removeDefinition(kind: DefinitionKind, name: string): Promise<unknown> {
  return ask<unknown>('DELETE', pathOf(kind, name))
}
