import { endpoints } from '@statewright/core/wire'
import { templates } from '../../templates/read-templates.ts'
import { type Route, serve } from '../pipeline/route.ts'

export const templateRoutes: readonly Route[] = [
  serve(endpoints.listTemplates, (_, reply) => reply(200, { templates: templates() })),
]
