import { hash } from 'node:crypto'
import { defined, err } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { problem } from '../../base/problem.ts'
import { findRun } from '../../runtime/runs/find-run.ts'
import { handTo, openProject } from '../../runtime/runs/scope.ts'
import { providerIdOf } from '../auth/oidc/claims.ts'
import { providerName } from '../auth/oidc/settings.ts'
import { personOf } from '../pipeline/proof.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import { type Answering, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { wireToken } from './wire.ts'

const loginS = 30 * 24 * 60 * 60

type CreateCall = CallOf<typeof endpoints.createToken>

export const tokenRoutes: readonly Route[] = [
  serve(endpoints.listTokens, async ({ server }, reply) =>
    reply(200, { tokens: (await server.auth.tokens.list()).map(wireToken) }),
  ),
  serve(endpoints.createToken, create),
  serve(endpoints.revokeToken, async ({ server, params: { id } }, reply) => {
    if (await server.auth.tokens.revoke(id)) return reply(200, { id, revoked: true })
    return refuse('unknown_token', `There is no token ${id.slice(0, 100)} to revoke.`)
  }),
  serve(endpoints.getMe, ({ server, identity }, reply) => {
    const id = providerIdOf(identity.token.person)
    const active = id === undefined ? undefined : server.auth.oidc.active()
    const provider = active === undefined ? undefined : providerName(active.config)
    return reply(200, { ...wireToken(identity.token), provider })
  }),
]

async function create(
  call: CreateCall,
  reply: Answering<typeof endpoints.createToken>,
): Promise<Reply> {
  const { kind, name, role, with_hook, installation, project } = call.body
  const { auth, runtime } = call.server
  const refused = refuseService(call)
  if (refused !== undefined) return refused
  const handed = await runToHand(call)
  if (handed !== undefined && !handed.ok) return problemReply(handed.error)
  const facts = defined({
    name: name ?? kind,
    createdBy: call.caller.tokenId,
    role,
    expiresAt: expiry(call),
    ...ofPeople(call),
  })
  const isPair = with_hook === true && kind === 'agent'
  // A client that is installed once more must find the runs of its sessions again.
  const id = isPair && installation !== undefined ? { id: idOf(installation) } : {}
  const kept = kind === 'service' ? 'person' : kind
  const { row, secret } = await auth.tokens.mint({ ...facts, kind: kept, ...id })
  if (handed !== undefined) await handTo(runtime, row.tokenId, handed.value)
  if (project !== undefined) await openProject(runtime, row.tokenId, project)
  const made = { ...wireToken(row), token: secret }
  if (!isPair) return reply(201, made)
  const hook = await auth.tokens.mint({ ...facts, kind: 'hook', pairOf: row.tokenId })
  return reply(201, { ...made, hook_token: hook.secret })
}

/** A service is named with what it may do and until when; nobody answers for it at a keyboard. */
function refuseService({ server, body, identity }: CreateCall): Reply | undefined {
  const { kind, verbs, expires_in_s } = body
  if (kind !== 'service') {
    if (verbs === undefined) return undefined
    return refuse('usage', 'Only a service token has verbs.', { where: 'verbs' })
  }
  if (verbs === undefined || expires_in_s === undefined) {
    const next = 'say which "verbs" it may use, and "expires_in_s".'
    return refuse('usage', 'A service token must name what it may do, and until when.', { next })
  }
  const lacking = verbs.find((verb) => identity.token.verbs?.includes(verb) === false)
  if (lacking !== undefined) {
    const message = `You may not "${lacking}" yourself, so your services may not either.`
    return refuse('not_permitted', message, { where: 'verbs', next: 'leave it out.' })
  }
  if (!verbs.includes('approve') || server.level() === 'L2') return undefined
  const message = 'No token may approve by itself while agents can reach the disk of the server.'
  return refuse('not_permitted', message, {
    where: 'verbs',
    next: 'run the server as another user or on another machine (level L2), or leave it out.',
  })
}

function expiry({ server, body }: CreateCall): number | undefined {
  const { kind, expires_in_s } = body
  const requestedMs = kind === 'person' ? Math.min(expires_in_s ?? loginS, loginS) : expires_in_s
  return requestedMs === undefined ? undefined : server.runtime.clock.now() + requestedMs * 1000
}

function ofPeople({ identity, body }: CreateCall) {
  const { kind, verbs } = body
  if (kind === 'service' && verbs !== undefined) return { verbs }
  if (kind !== 'person') return {}
  const may = identity.token.verbs
  return { person: personOf(identity), ...(may === null ? {} : { verbs: may }) }
}

/** A run that no other agent has yet: it is handed to one. */
async function runToHand({ server, caller, body }: CreateCall) {
  if (body.run === undefined) return undefined
  const found = await findRun(server.runtime, caller, { run: body.run })
  if (!found.ok || found.value.row.agent === null) return found
  const next = 'start another run for this agent.'
  return err(problem('locked', 'This run belongs to another agent.', { where: 'run', next }))
}

function idOf(installation: string): string {
  return hash('sha256', installation).slice(0, 32)
}
