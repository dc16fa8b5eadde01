import { isAbsolute } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { verbs } from '@statewright/core/wire'
import { z } from 'zod'
import { isInside, realOf } from '../home/folders.ts'
import { variable } from './people-schema.ts'

const verb = z.enum(verbs)
const claim = z.string().min(1).max(200)

/** Logins of an identity provider (PE-12). Its secret stands elsewhere; this file is shown. */
export const OidcConfig = z.strictObject({
  issuer: z
    .string()
    .max(200)
    .regex(
      /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$))[^\s?#<>]*$/,
      {
        message: 'the issuer as the provider writes it, with https, without query',
      },
    )
    .describe('The issuer, as in the discovery document of the provider.'),
  name: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('Name on the login button; the host when left out.'),
  client_id: z
    .string()
    .min(1)
    .max(500)
    .describe('Client id that the provider registered for this server.'),
  client_secret_env: variable
    .optional()
    .describe('Environment variable of the server that contains the client secret.'),
  client_secret_file: z
    .string()
    .max(4096)
    .optional()
    .describe('File with the client secret, outside the project. Neither: a public client.'),
  client_auth: z
    .enum(['basic', 'post'])
    .optional()
    .describe('How the secret is sent: as the provider registered it, basic when left out.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { message: 'a scope without spaces' }))
    .max(20)
    .optional()
    .describe('Asked for besides openid; profile when left out.'),
  name_claim: claim.optional().describe('Claim with the name of the person, "name".'),
  roles_claim: claim.optional().describe('Claim with the roles, "roles"; dots lead into objects.'),
  roles: z
    .record(z.string().min(1).max(200), z.array(verb).max(10))
    .describe('Confirmed actions that each role may take; a role without any may only look.'),
  without_role: z
    .enum(['refuse', 'look'])
    .optional()
    .describe('People with none of these roles: `refuse` (default), or `look` only.'),
  break_glass: z
    .boolean()
    .optional()
    .describe('The terminal of the server still shows login links, for passkey and PIN.'),
})
export type OidcConfig = z.infer<typeof OidcConfig>

/** Whatever lies in the project is read by its agents, and sooner or later committed. */
export function checkOidc(oidc: OidcConfig | null, project: string): Result<void, Problem> {
  const file = oidc?.client_secret_file
  if (oidc === null || file === undefined) return ok(undefined)
  const wrong = (message: string, next: string) =>
    err({ code: 'config_invalid', message, where: 'oidc.client_secret_file', next } as const)
  if (oidc.client_secret_env !== undefined) {
    return wrong(
      'The secret is given both by a variable and by a file.',
      'use only one of the two.',
    )
  }
  if (!isAbsolute(file)) return wrong(`${file} is not an absolute path.`, 'begin it with a slash.')
  if (!isInside(realOf(file), project)) return ok(undefined)
  return wrong(
    'The secret of the provider is in the project, where agents can read it.',
    'move it to a folder that only the server reads, or name a variable in client_secret_env.',
  )
}

/** What a change of `oidc` means, for anyone who is to accept it. */
export function oidcText(to: unknown): string {
  // It has passed the schema of the configuration, now or when it was accepted.
  const oidc = to as OidcConfig | null
  if (oidc === null) return 'People log in with links, passkeys and PINs instead of a provider.'
  const { issuer, roles, without_role = 'refuse', break_glass = false } = oidc
  const each = Object.entries(roles).map(
    ([role, may]) => `${role}: ${may.length === 0 ? 'look' : may.join(', ')}`,
  )
  const others = without_role === 'look' ? ' Everybody else whom the provider knows may look.' : ''
  const links = break_glass ? ' The terminal of the server still shows login links.' : ''
  const who = `${issuer} decides who may log in here, and what they may do`
  return `${who} (${each.join('; ')}).${others}${links}`
}
