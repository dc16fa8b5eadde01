import { type AnswerFor, endpoints } from '@statewright/core/wire'
import { isRunning, processKey } from '../../base/process-start.ts'
import {
  type ExecTickets,
  noResult,
  noTicket,
  type TicketHolder,
} from '../../guard/exec/exec-tickets.ts'
import {
  type HookSignature,
  isSigned,
  macHeader,
  readSignature,
  signAnswer,
} from '../auth/hook-signature.ts'
import { peerAncestors } from '../auth/peer-ancestors.ts'
import { problemReply, type Reply } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'

type ExecCall = CallOf<typeof endpoints.startExec | typeof endpoints.finishExec>

export function execRoutes(tickets: ExecTickets): readonly Route[] {
  return [
    serve(endpoints.startExec, async (call) => {
      const signed = signedBy(call, (name) => tickets.ticketKey(name))
      if (signed === undefined) return problemReply(noTicket)
      const plan = await tickets.start(signed.key, holderOf(call))
      return plan.ok ? signedReply(signed, plan.value) : problemReply(plan.error)
    }),
    serve(endpoints.finishExec, async (call) => {
      const signed = signedBy(call, (name) => tickets.reportKey(name))
      if (signed === undefined) return problemReply(noResult)
      const done = await tickets.finish(signed.key, call.body)
      return done.ok ? signedReply(signed, { put_aside: done.value }) : problemReply(done.error)
    }),
  ]
}

type Signable = AnswerFor<typeof endpoints.startExec | typeof endpoints.finishExec, 200>

interface Signed {
  readonly key: string
  readonly signature: HookSignature
}

function signedReply({ key, signature }: Signed, value: Signable): Reply {
  const payload = JSON.stringify(value)
  const headers = { [macHeader]: signAnswer(key, signature, payload) }
  return { status: 200, type: 'application/json', payload, headers }
}

/** The key that a request was really signed with; undefined when it was not. */
function signedBy(
  { request, text }: Pick<ExecCall, 'request' | 'text'>,
  find: (name: string) => string | undefined,
): Signed | undefined {
  const signature = readSignature(request.headers.get('authorization'))
  const key = signature === undefined ? undefined : find(signature.keyId)
  if (signature === undefined || key === undefined) return undefined
  const signedRequest = { path: new URL(request.url).pathname, process: '', gateway: '', text }
  return isSigned(key, signature, signedRequest) ? { key, signature } : undefined
}

/** The process that redeemed the ticket, as the kernel names it: a body could name any. */
function holderOf({ incoming }: Pick<ExecCall, 'incoming'>): TicketHolder {
  const ancestors = incoming === undefined ? [] : peerAncestors(incoming)
  const [holder] = ancestors
  const isAlive = () => holder !== undefined && isRunning(processKey(holder))
  return {
    ancestors,
    isAlive,
    end() {
      if (holder === undefined || !isAlive()) return
      try {
        process.kill(holder.pid, 'SIGTERM')
      } catch {
        // It has ended, or it is another user's.
      }
    },
  }
}
