import type { OidcConfig } from '../../../config/oidc-schema.ts'

/** The provider as it is configured, and how the secret of this server there is read. */
export interface OidcSettings {
  readonly config: OidcConfig
  readonly secret: () => ClientSecret
}

/** No value: a public client. `missing` says why there is none though one is configured. */
export type ClientSecret = { readonly value: string | undefined } | { readonly missing: string }

/** What people call it. */
export function providerName({ name, issuer }: OidcConfig): string {
  return name ?? new URL(issuer).host
}
