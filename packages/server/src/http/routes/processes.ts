import { parseProcess } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { invalidProblem } from '../../runtime/rules/definitions.ts'
import { problemReply, refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'
import { definitionRoutes, savedProcess } from './definitions.ts'
import { asWritten, saveAs } from './save-definition.ts'

/** Processes by name (PR-11). */
export const processRoutes: readonly Route[] = [
  ...definitionRoutes('process'),
  serve(endpoints.createProcess, async (call, reply) => {
    const { definition, findings } = parseProcess(asWritten(call.text))
    if (definition === undefined) return problemReply(invalidProblem(findings))
    const { name } = definition
    if ((await call.server.runtime.store.definitions.newest(name)) !== undefined) {
      const next = `change it with PUT /api/processes/${name}.`
      return refuse('name_taken', `A definition called ${name} exists already.`, { next })
    }
    const saved = await saveAs('process', name, call)
    return saved.ok ? reply(201, savedProcess(saved.value)) : saved.error
  }),
]
