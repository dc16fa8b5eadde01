import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A JSON Schema or a description of the API: their own specifications say what is in them. */
const Described = z.looseObject({})

function schema<const Path extends string>(path: Path, of: string) {
  return endpoint({
    method: 'GET',
    path,
    who: 'public',
    summary: `The JSON Schema of ${of}.`,
    answers: { 200: Described },
  })
}

/** What editors and programs read about the API and about what authors write. */
export const descriptionEndpoints = {
  describeApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    who: 'public',
    summary: 'This description.',
    answers: { 200: Described },
  }),
  getWorkflowSchema: schema('/workflow-schema.json', 'workflows'),
  getProcessSchema: schema('/process-schema.json', 'processes'),
  getConfigSchema: schema('/config-schema.json', 'the configuration'),
}
