import { z } from 'zod'
import { DefinitionKind } from './definition.ts'
import { endpoint } from './endpoint.ts'

/** A definition to begin with, and the stories that show what it holds. */
export const Template = z.object({
  name: z.string(),
  kind: DefinitionKind,
  description: z.string(),
  text: z.string(),
  scenarios: z.string(),
})
export type Template = z.infer<typeof Template>

export const templateEndpoints = {
  listTemplates: endpoint({
    method: 'GET',
    path: '/api/templates',
    who: 'agent',
    summary: 'Definitions to begin with, and the scenarios that test them.',
    answers: { 200: z.object({ templates: z.array(Template) }) },
  }),
}
