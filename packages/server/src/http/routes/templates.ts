import { z } from 'zod'
import { templates } from '../../templates/read-templates.ts'
import { json } from '../door/reply.ts'
import { type Route, route } from '../door/route.ts'

const Template = z.object({
  name: z.string(),
  kind: z.enum(['workflow', 'process']),
  description: z.string(),
  text: z.string(),
  scenarios: z.string(),
})

export const templateRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/templates',
    who: 'agent',
    summary: 'Definitions to begin with, and the scenarios that hold them.',
    answers: { 200: z.object({ templates: z.array(Template) }) },
    handle: () => json(200, { templates: templates() }),
  }),
]
