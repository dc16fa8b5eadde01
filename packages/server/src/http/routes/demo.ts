import { endpoints } from '@statewright/core/wire'
import { startDemo } from '../../demo/start-demo.ts'
import { problemReply } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

export const demoRoutes: readonly Route[] = [
  serve(endpoints.startDemo, async ({ server, caller }, reply) => {
    const started = await startDemo(server.guard, caller, { stop: server.stopping })
    if (!started.ok) return problemReply(started.error)
    const { runId, played } = started.value
    played.catch((fault) => server.log.error({ err: fault, run: runId }, 'the demo stopped'))
    return reply(201, { run_id: runId })
  }),
]
