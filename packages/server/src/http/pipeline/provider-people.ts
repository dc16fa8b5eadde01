import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { Auth } from '../auth/auth.ts'
import { providerIdOf } from '../auth/oidc/claims.ts'
import { providerName } from '../auth/oidc/settings.ts'
import type { Identity } from './route.ts'

/** Whom a provider knows, and whose roles let them do nothing more (PE-13). */
export function onlyLooks({ token }: Identity): boolean {
  return token.person !== null && token.verbs !== null && token.verbs.length === 0
}

/** Links, passkeys and PINs are off with a provider, but for break-glass logins (PE-15). */
export function refuseLocal(
  { oidc }: Pick<Auth, 'oidc'>,
  identity: Identity | undefined,
): RuntimeProblem | undefined {
  const isOfProvider = providerIdOf(identity?.token.person ?? null) !== undefined
  const active = oidc.active()
  if (active === undefined || (oidc.hasLocalLogins() && !isOfProvider)) return undefined
  const name = providerName(active.config)
  const message = `People of this server log in with ${name}: links, passkeys and PINs are off.`
  return problem('oidc_only', message, { next: 'open the dashboard and log in there.' })
}
