import { z } from 'zod'
import { type ExecTickets, noResult, noTicket } from '../../guard/exec/exec-tickets.ts'
import { processStart } from '../../runtime/process-start.ts'
import {
  type HookSignature,
  isSigned,
  macHeader,
  readSignature,
  signAnswer,
} from '../auth/hook-signature.ts'
import { peerProcess } from '../auth/peer-process.ts'
import { problemReply, type Reply } from '../door/reply.ts'
import { type PublicCall, publicRoute, type Route } from '../door/route.ts'

const Start = z.object({})

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
  exit: z.int().min(0).max(255),
  bytes: z.int().min(0),
  outputHash: z.string().regex(/^[0-9a-f]{64}$/),
  durationMs: z.number().min(0),
  intruders: z.array(z.string().max(4096)).max(1000),
  output: z.string().max(1_000_000).optional(),
})

/**
 * The doors of `statewright exec`. They are open to anybody because the ticket is the key: it was
 * made for one judged call and serves once. It is never sent: `exec` signs with it, and knows by
 * our signature that the plan is ours.
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
        const signed = signedBy(call, (name) => tickets.ticketKey(name))
        if (signed === undefined) return problemReply(noTicket)
        const plan = await tickets.start(signed.key, enderOf(call))
        if (!plan.ok) return problemReply(plan.error)
        return signedReply(signed, plan.value)
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/api/exec/done',
      summary: 'Tell how a command ended that was run with a ticket.',
      body: Done,
      answers: { 200: z.object({ put_aside: z.array(z.string()) }) },
      handle: async (call): Promise<Reply> => {
        const signed = signedBy(call, (name) => tickets.reportKey(name))
        if (signed === undefined) return problemReply(noResult)
        const done = await tickets.finish(signed.key, call.body)
        return done.ok ? signedReply(signed, { put_aside: done.value }) : problemReply(done.error)
      },
    }),
  ]
}

interface Signed {
  readonly key: string
  readonly signature: HookSignature
}

function signedReply({ key, signature }: Signed, value: object): Reply {
  const payload = JSON.stringify(value)
  const headers = { [macHeader]: signAnswer(key, signature, payload) }
  return { status: 200, type: 'application/json', payload, headers }
}

/** The key that a request was really signed with; undefined when it was not. */
function signedBy(
  { request, text }: PublicCall<unknown, unknown>,
  find: (name: string) => string | undefined,
): Signed | undefined {
  const signature = readSignature(request.headers.get('authorization'))
  const key = signature === undefined ? undefined : find(signature.keyId)
  if (signature === undefined || key === undefined) return undefined
  const asked = { path: new URL(request.url).pathname, process: '', gateway: '', text }
  return isSigned(key, signature, asked) ? { key, signature } : undefined
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
