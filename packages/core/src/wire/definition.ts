import { z } from 'zod'
import { Id, Time } from './basics.ts'

export const DefinitionKind = z.enum(['workflow', 'process'])
export type DefinitionKind = z.infer<typeof DefinitionKind>

/** What is known of one version of a definition without its text. */
export const definitionFacts = {
  name: z.string(),
  kind: DefinitionKind,
  version: z.number(),
  hash: z.string().describe('Of the definition alone, without those that it invokes.'),
  draft: z.boolean().describe('A draft has no effect until a person saves it.'),
  saved_by: z.string(),
  saved_at: Time,
  created_at: Time.describe('When its first version was saved.'),
  description: z.string().optional().describe('`meta.description`, where it has one.'),
}

export const DefinitionLine = z.object(definitionFacts)
export type DefinitionLine = z.infer<typeof DefinitionLine>

export const DefinitionVersions = z.object({ versions: z.array(DefinitionLine) })

/** A definition as a picture has it. */
export const Graph = z.object({
  title: z.string(),
  nodes: z.array(
    z.object({
      name: z.string(),
      is_initial: z.boolean(),
      is_final: z.boolean(),
      note: z.string(),
    }),
  ),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      label: z.string(),
      kind: z.enum(['event', 'fork', 'join', 'interrupt', 'safe_next']),
    }),
  ),
})

export const VersionQuery = z.strictObject({
  version: z.coerce.number<number | string>().int().min(1).optional(),
})

export const GraphQuery = z.strictObject({
  format: z
    .enum(['json', 'mermaid', 'dot'])
    .default('json')
    .describe('Mermaid and DOT are answered as plain text.'),
})

export const SaveQuery = z.strictObject({
  draft: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('Only a draft, which has no effect until a person accepts it.'),
  base: Id.optional().describe('Hash of the version that it was begun with; refused by another.'),
})
