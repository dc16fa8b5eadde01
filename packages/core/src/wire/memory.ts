import { z } from 'zod'
import { limits } from '../base/limits.ts'
import { Id, Project } from './basics.ts'
import { endpoint } from './endpoint.ts'

export const MemoryKey = Id.describe('Key that it is stored under.')
export const Tags = z.array(Id).max(limits.notebookTags).describe('Words to find it by.')
/** A text of a memory or a task; bounded in bytes where it is stored. */
export const KeptText = z.string().max(limits.memoryBytes)

export const Memory = z.object({
  key: z.string(),
  value: z.string(),
  tags: z.array(z.string()),
  updated_at: z.number(),
})
export type Memory = z.infer<typeof Memory>

/** Without the text: a list of many must not be as large as all of them. */
export const MemoryLine = z.object({
  key: z.string(),
  excerpt: z.string().describe('How the text begins.'),
  bytes: z.number(),
  tags: z.array(z.string()),
  updated_at: z.number(),
})
export type MemoryLine = z.infer<typeof MemoryLine>

const InProject = z.strictObject({ project: Project })

/** What a project keeps (PR-8). */
export const memoryEndpoints = {
  listMemory: endpoint({
    method: 'GET',
    path: '/api/memory',
    who: 'agent',
    summary: 'List or search the memory of a project, without the full texts.',
    query: InProject.extend({
      search: Id.optional().describe('Words that must all occur; case does not matter.'),
    }),
    answers: { 200: z.object({ memories: z.array(MemoryLine) }) },
  }),
  getMemory: endpoint({
    method: 'GET',
    path: '/api/memory/:key',
    who: 'agent',
    summary: 'Read the text stored under a key.',
    query: InProject,
    answers: { 200: Memory },
  }),
  setMemory: endpoint({
    method: 'PUT',
    path: '/api/memory/:key',
    who: 'agent',
    summary: 'Store a text of at most 64 kB under a key; an older text is replaced.',
    query: InProject,
    body: z.strictObject({ value: KeptText, tags: Tags.optional() }),
    answers: { 200: Memory },
  }),
  deleteMemory: endpoint({
    method: 'DELETE',
    path: '/api/memory/:key',
    who: 'agent',
    summary: 'Delete the text stored under a key.',
    query: InProject,
    answers: { 200: Memory },
  }),
}
