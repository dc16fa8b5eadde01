import { hash } from 'node:crypto'
import { err } from '@statewright/core'
import { z } from 'zod'
import { findRun } from '../../runtime/find-run.ts'
import { problem } from '../../runtime/problem.ts'
import { handTo, openProject } from '../../runtime/scope.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { stepUp } from '../door/step-up.ts'
import { Id } from './shapes.ts'
import { wireToken } from './wire.ts'

const yearS = 365 * 24 * 60 * 60

const Create = z.object({
  kind: z.enum(['hook', 'agent', 'person']),
  name: Id.optional().describe('Shown in lists and histories.'),
  role: Id.optional().describe('Role for policies; "agent" when absent.'),
  with_hook: z
    .literal(true)
    .optional()
    .describe('With a token of an agent: make one for the hooks of its client as well.'),
  installation: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe(
      'With `with_hook`: whose it is. Asked for again, it gets new secrets, and keeps its runs.',
    ),
  run: Id.optional().describe('With a token of an agent: the run that it is handed.'),
  project: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('With a token of an agent: the project whose memory and tasks it sees.'),
  expires_in_s: z
    .int()
    .min(1)
    .max(10 * yearS)
    .optional(),
})
type Create = z.infer<typeof Create>

const TokenShape = z.looseObject({ id: z.string(), kind: z.string(), name: z.string() })

export const tokenRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/tokens',
    who: 'person',
    summary: 'List tokens, without their secrets.',
    answers: { 200: z.object({ tokens: z.array(TokenShape) }) },
    handle: async ({ parts }) =>
      json(200, { tokens: (await parts.auth.tokens.list()).map(wireToken) }),
  }),
  route({
    method: 'POST',
    path: '/api/tokens',
    who: 'person',
    summary: 'Make a token. Its secret is shown once.',
    body: Create,
    answers: { 201: TokenShape.extend({ token: z.string(), hook_token: z.string().optional() }) },
    handle: create,
  }),
  route({
    method: 'DELETE',
    path: '/api/tokens/:id',
    who: 'person',
    summary: 'Revoke a token.',
    answers: { 200: z.object({ id: z.string(), revoked: z.literal(true) }) },
    handle: async ({ parts, params }) => {
      const id = params.id ?? ''
      if (await parts.auth.tokens.revoke(id)) return json(200, { id, revoked: true })
      return refuse('unknown_token', `There is no token ${id.slice(0, 100)} to revoke.`)
    },
  }),
  route({
    method: 'GET',
    path: '/api/me',
    who: 'hook',
    summary: 'Who the token says you are.',
    answers: { 200: TokenShape },
    handle: ({ identity }) => json(200, wireToken(identity.token)),
  }),
]

async function create(call: Call<Create, undefined>): Promise<Reply> {
  const { kind, name, role, expires_in_s, with_hook, installation, project } = call.body
  const { auth, runtime } = call.parts
  // A new person is as grave as anything that a person may do, once there is a PIN to ask for.
  const dangerous = kind === 'person' && (await auth.pin.isSet())
  const refused = await stepUp(call, { dangerous })
  if (refused !== undefined) return refused
  const handed = await runToHand(call)
  if (handed !== undefined && !handed.ok) return problemReply(handed.error)
  const facts = {
    name: name ?? kind,
    createdBy: call.caller.tokenId,
    ...(role === undefined ? {} : { role }),
    ...(expires_in_s === undefined ? {} : { expiresAt: runtime.clock.now() + expires_in_s * 1000 }),
  }
  const isPair = with_hook === true && kind === 'agent'
  // A client that is installed once more must find the runs of its sessions again.
  const id = isPair && installation !== undefined ? { id: idOf(installation) } : {}
  const { row, secret } = await auth.tokens.mint({ ...facts, kind, ...id })
  if (handed !== undefined) await handTo(runtime, row.tokenId, handed.value)
  if (project !== undefined) await openProject(runtime, row.tokenId, project)
  const made = { ...wireToken(row), token: secret }
  if (!isPair) return json(201, made)
  const hook = await auth.tokens.mint({ ...facts, kind: 'hook', pairOf: row.tokenId })
  return json(201, { ...made, hook_token: hook.secret })
}

/** A run that no other agent has yet: it is handed to one. */
async function runToHand({ parts, caller, body }: Call<Create, undefined>) {
  if (body.run === undefined) return undefined
  const found = await findRun(parts.runtime, caller, { run: body.run })
  if (!found.ok || found.value.row.agent === null) return found
  const next = 'start another one for this agent.'
  return err(problem('locked', 'Another agent has this run.', { where: 'run', next }))
}

function idOf(installation: string): string {
  return hash('sha256', installation).slice(0, 32)
}
