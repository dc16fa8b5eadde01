import { z } from 'zod'
import type { ExecTickets } from '../../guard/exec/exec-tickets.ts'
import { processStart } from '../../runtime/process-start.ts'
import { peerProcess } from '../auth/peer-process.ts'
import { json, problemReply, type Reply } from '../door/reply.ts'
import { type PublicCall, publicRoute, type Route } from '../door/route.ts'

const Secret = z.string().min(20).max(200)

const Start = z.object({ ticket: Secret })

const Plan = z.object({
  program: z.string(),
  args: z.array(z.string()),
  command: z.array(z.string()),
  isCaged: z.boolean(),
  cwd: z.string(),
  mark: z.string(),
  blocked: z.array(z.string()),
  overrides: z.record(z.string(), z.string()),
  neverGiven: z.string(),
  onlyGiven: z.string().optional(),
  loader: z.string(),
  absent: z.array(z.string()),
  capture: z.int(),
  report: z.string(),
})

const Done = z.object({
  report: Secret,
  exit: z.int().min(0).max(255),
  bytes: z.int().min(0),
  outputHash: z.string().regex(/^[0-9a-f]{64}$/),
  durationMs: z.number().min(0),
  intruders: z.array(z.string().max(4096)).max(1000),
  output: z.string().max(1_000_000).optional(),
})

/**
 * The doors of `statewright exec`. They are open to anybody because the ticket is the key: it was
 * made for one judged call and serves once.
 */
export function execRoutes(tickets: ExecTickets): readonly Route[] {
  return [
    publicRoute({
      method: 'POST',
      path: '/api/exec/start',
      summary: 'Turn the ticket of a judged shell call into the way to run it.',
      body: Start,
      answers: { 200: Plan },
      handle: async (call): Promise<Reply> => {
        const plan = await tickets.start(call.body.ticket, enderOf(call))
        return plan.ok ? json(200, plan.value) : problemReply(plan.error)
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/api/exec/done',
      summary: 'Tell how a command ended that was run with a ticket.',
      body: Done,
      answers: { 200: z.object({}) },
      handle: async ({ body: { report, ...result } }): Promise<Reply> => {
        const done = await tickets.finish(report, result)
        return done.ok ? json(200, {}) : problemReply(done.error)
      },
    }),
  ]
}

/** Ends the process that redeemed the ticket, as the kernel names it: a body could name any. */
function enderOf({ incoming }: PublicCall<unknown, unknown>): () => void {
  const pid = incoming === undefined ? undefined : peerProcess(incoming.socket)
  const startTime = pid === undefined ? undefined : processStart(pid)
  return () => {
    if (pid === undefined || startTime === undefined || processStart(pid) !== startTime) return
    try {
      process.kill(pid, 'SIGTERM')
    } catch {
      // It has ended, or it is another user's.
    }
  }
}
