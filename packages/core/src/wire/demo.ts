import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const demoEndpoints = {
  startDemo: endpoint({
    method: 'POST',
    path: '/api/demo',
    who: 'person',
    summary: 'Play a scripted agent through a workflow, until it waits for a person.',
    body: z.strictObject({}),
    answers: { 201: z.object({ run_id: z.string() }) },
  }),
}
