import { endpoints } from '@statewright/core/wire'
import { findRunning } from '../../home/discovery.ts'
import { type Client, createClient } from '../api/client.ts'
import { call, orRefuse, refuse, say, tryCall } from '../command.ts'
import { readLogin } from '../login/logins.ts'
import { type InstallKey, type InstallTarget, installationName } from './record.ts'

/**
 * The key that an installation has, if the server takes it. A new one in its place would leave
 * every session that is running now without its run, and so without a guard.
 */
export async function validKey(
  key: InstallKey | undefined,
  server: Client,
): Promise<InstallKey | undefined> {
  if (key?.hook_token === undefined) return undefined
  for (const token of [key.token, key.hook_token]) {
    const me = await createClient({ url: server.url, token }).call(endpoints.getMe, {})
    if (!me.ok) return undefined
  }
  return { ...key, ...addressOf(server) }
}

export async function mintKey(server: Client, target: InstallTarget): Promise<InstallKey> {
  const { installer, guards, keyProject } = target
  const name = guards === undefined ? installer.client : `${installer.client} in ${guards}`
  const body = {
    kind: 'agent',
    name: name.slice(-200),
    with_hook: true,
    installation: orRefuse(installationName(target)),
  } as const
  const minted = await call(server, endpoints.createToken, { body })
  if (minted.hook_token === undefined) {
    const message = 'The server created a key, but none for the hook.'
    return refuse({ code: 'internal', message, where: server.url })
  }
  return {
    ...(keyProject === undefined ? {} : { project: keyProject }),
    ...addressOf(server),
    token: minted.token,
    hook_token: minted.hook_token,
    token_id: minted.id,
  }
}

function addressOf({ url, data }: Client): Pick<InstallKey, 'url' | 'data'> {
  return { url, ...(data === undefined ? {} : { data }) }
}

/** Where the server of a key answers now. */
function serverOf({ url, data }: InstallKey): string {
  return (data === undefined ? undefined : findRunning(data)?.url) ?? url
}

/** The person at the server of a key, which need not be the one of this folder. */
export function personAt(key: InstallKey, here: Client): Client {
  const url = serverOf(key)
  return url === here.url ? here : createClient({ url, token: readLogin(process.env, url) })
}

/**
 * A key must not outlive its entries. A server that runs is asked before anything is taken away: it
 * wants a proof that a person is there, which an agent does not have. Where none answers, the
 * person is told that the key is still good.
 */
export async function revokeKey(key: InstallKey, here: Client): Promise<void> {
  const params = { id: key.token_id }
  const done = await tryCall(personAt(key, here), endpoints.revokeToken, { params })
  if (done.ok || done.error.code === 'unknown_token') return
  if (done.error.code !== 'server_unreachable') return refuse(done.error)
  say(`The key ${key.token_id} is still valid: ${done.error.message}`)
  say(`  next: run "statewright token revoke ${key.token_id}" when that server runs.`)
}
