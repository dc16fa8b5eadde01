import { z } from 'zod'
import { type Client, createClient } from './client.ts'
import { ask, orRefuse, say, tryAsk } from './command.ts'
import { type InstallPlace, type InstallRecord, installationName } from './install-record.ts'
import { readLogin } from './logins.ts'
import { Anything } from './shapes.ts'

/** With what an installed client speaks to its server. */
export interface InstallKey {
  readonly token: string
  readonly hook_token: string
  readonly token_id: string
}

/**
 * The key that an installation has, if the server takes it. A new one in its place would leave
 * every session that is running now without its run, and so without a guard.
 */
export async function validKey(
  record: InstallRecord | undefined,
  url: string,
): Promise<InstallKey | undefined> {
  if (record?.hook_token === undefined) return undefined
  const { token, hook_token, token_id } = record
  for (const one of [token, hook_token]) {
    const me = await createClient({ url, token: one }).ask({ path: '/api/me' }, Anything)
    if (!me.ok) return undefined
  }
  return { token, hook_token, token_id }
}

const Minted = z.looseObject({ id: z.string(), token: z.string(), hook_token: z.string() })

export async function mintKey(server: Client, place: InstallPlace): Promise<InstallKey> {
  const { installer, project } = place
  const name = project === undefined ? installer.client : `${installer.client} in ${project}`
  const body = {
    kind: 'agent',
    name: name.slice(-200),
    with_hook: true,
    installation: orRefuse(installationName(place)),
  }
  const minted = await ask(server, { method: 'POST', path: '/api/tokens', body }, Minted)
  return { token: minted.token, hook_token: minted.hook_token, token_id: minted.id }
}

/**
 * Ends a key at the server that made it, which need not be the one of this folder. A key must not
 * outlive its entries; where it cannot be ended, the person is told.
 */
export async function revokeOld(record: InstallRecord, here: Client): Promise<void> {
  const { url, token_id: id } = record
  const server = url === here.url ? here : createClient({ url, token: readLogin(process.env, url) })
  const path = `/api/tokens/${encodeURIComponent(id)}`
  const done = await tryAsk(server, { method: 'DELETE', path }, Anything)
  if (done.ok || done.error.code === 'unknown_token') return
  say(`The key ${id} is still valid: ${done.error.message}`)
  say(`  next: run "statewright token revoke ${id}" when that server runs.`)
}
