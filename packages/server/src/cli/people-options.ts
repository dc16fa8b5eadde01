import type { PinnedConfig } from '../config/pinned.ts'
import type { Environment } from '../config/places.ts'
import type { MailService } from '../mail/forward.ts'

const usualMailUrl = 'https://api.resend.com'

/** The mail service of the configuration that holds, with its key from the server's environment. */
export function mailService(
  pinned: PinnedConfig,
  environment: Environment,
): () => MailService | undefined {
  return () => {
    const resend = pinned.current().mail?.resend
    const key = resend === undefined ? undefined : environment[resend.key_env]
    if (resend === undefined || key === undefined || key === '') return undefined
    return { url: (resend.url ?? usualMailUrl).replace(/\/+$/, ''), key }
  }
}
