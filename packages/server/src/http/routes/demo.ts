import { z } from 'zod'
import { startDemo } from '../../demo/start-demo.ts'
import { json, problemReply } from '../door/reply.ts'
import { type Route, route } from '../door/route.ts'

export const demoRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/demo',
    who: 'person',
    summary: 'Play a scripted agent through a workflow, until it waits for a person.',
    body: z.object({}),
    answers: { 201: z.object({ run_id: z.string() }) },
    handle: async ({ parts, caller }) => {
      const started = await startDemo(parts.guard, caller, { stop: parts.stopping })
      if (!started.ok) return problemReply(started.error)
      const { runId, played } = started.value
      played.catch((fault) => parts.log.error({ err: fault, run: runId }, 'the demo stopped'))
      return json(201, { run_id: runId })
    },
  }),
]
