import { hash } from 'node:crypto'
import { err } from '@statewright/core'
import { z } from 'zod'
import { findRun } from '../../runtime/find-run.ts'
import { problem } from '../../runtime/problem.ts'
import { handTo, openProject } from '../../runtime/scope.ts'
import { providerIdOf } from '../auth/oidc/claims.ts'
import { providerName } from '../auth/oidc/settings.ts'
import { personOf } from '../door/proof.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { Id } from './shapes.ts'
import { wireToken } from './wire.ts'

const dayS = 24 * 60 * 60
const yearS = 365 * dayS
const loginS = 30 * dayS

const Create = z.object({
  kind: z
    .enum(['hook', 'agent', 'person', 'service'])
    .describe('`person`: another login of yours, which may look, start, hold and reject.'),
  verbs: z
    .array(z.enum(['approve', 'release', 'define', 'configure', 'mint', 'start']))
    .min(1)
    .optional()
    .describe('Of a service: what it may do that people must prove to be there for.'),
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
    proof: 'mint',
    body: Create,
    answers: { 201: TokenShape.extend({ token: z.string(), hook_token: z.string().optional() }) },
    handle: create,
  }),
  route({
    method: 'DELETE',
    path: '/api/tokens/:id',
    who: 'person',
    summary: 'Revoke a token.',
    proof: 'mint',
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
    handle: ({ parts, identity }) => {
      const id = providerIdOf(identity.token.person)
      const active = id === undefined ? undefined : parts.auth.oidc.active()
      const provider = active === undefined ? {} : { provider: providerName(active.config) }
      return json(200, { ...wireToken(identity.token), ...provider })
    },
  }),
]

async function create(call: Call<Create, undefined>): Promise<Reply> {
  const { kind, name, role, with_hook, installation, project } = call.body
  const { auth, runtime } = call.parts
  const refused = refuseService(call)
  if (refused !== undefined) return refused
  const handed = await runToHand(call)
  if (handed !== undefined && !handed.ok) return problemReply(handed.error)
  const facts = {
    name: name ?? kind,
    createdBy: call.caller.tokenId,
    ...(role === undefined ? {} : { role }),
    ...expiry(call),
    ...ofPeople(call),
  }
  const isPair = with_hook === true && kind === 'agent'
  // A client that is installed once more must find the runs of its sessions again.
  const id = isPair && installation !== undefined ? { id: idOf(installation) } : {}
  const kept = kind === 'service' ? 'person' : kind
  const { row, secret } = await auth.tokens.mint({ ...facts, kind: kept, ...id })
  if (handed !== undefined) await handTo(runtime, row.tokenId, handed.value)
  if (project !== undefined) await openProject(runtime, row.tokenId, project)
  const made = { ...wireToken(row), token: secret }
  if (!isPair) return json(201, made)
  const hook = await auth.tokens.mint({ ...facts, kind: 'hook', pairOf: row.tokenId })
  return json(201, { ...made, hook_token: hook.secret })
}

/** A service is named with what it may do and until when; nobody answers for it at a keyboard. */
function refuseService({ parts, body, identity }: Call<Create, undefined>): Reply | undefined {
  const { kind, verbs, expires_in_s } = body
  if (kind !== 'service') {
    if (verbs === undefined) return undefined
    return refuse('usage', 'Only a service is given verbs.', { where: 'verbs' })
  }
  if (verbs === undefined || expires_in_s === undefined) {
    const next = 'say which "verbs" it may use, and "expires_in_s".'
    return refuse('usage', 'A token of a service names what it may do, and until when.', { next })
  }
  const lacking = verbs.find((verb) => identity.token.verbs?.includes(verb) === false)
  if (lacking !== undefined) {
    const message = `You may not "${lacking}" yourself, so that no service of yours may.`
    return refuse('not_permitted', message, { where: 'verbs', next: 'leave it out.' })
  }
  if (!verbs.includes('approve') || parts.level() === 'L2') return undefined
  const message = 'Where agents can reach the disk of the server, no token may approve by itself.'
  return refuse('not_permitted', message, {
    where: 'verbs',
    next: 'run the server as another user or on another machine (level L2), or leave it out.',
  })
}

function expiry({ parts, body }: Call<Create, undefined>): { expiresAt?: number } {
  const { kind, expires_in_s } = body
  const asked = kind === 'person' ? Math.min(expires_in_s ?? loginS, loginS) : expires_in_s
  return asked === undefined ? {} : { expiresAt: parts.runtime.clock.now() + asked * 1000 }
}

function ofPeople({ identity, body }: Call<Create, undefined>) {
  const { kind, verbs } = body
  if (kind === 'service' && verbs !== undefined) return { verbs }
  if (kind !== 'person') return {}
  const may = identity.token.verbs
  return { person: personOf(identity), ...(may === null ? {} : { verbs: may }) }
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
