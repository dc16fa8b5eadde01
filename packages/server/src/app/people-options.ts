import { readFileSync } from 'node:fs'
import { notifyFiles } from '../config/named-programs.ts'
import type { OidcConfig } from '../config/oidc-schema.ts'
import type { PinnedConfig } from '../config/pinned.ts'
import type { Environment } from '../home/folders.ts'
import type { ClientSecret, OidcSettings } from '../http/auth/auth.ts'
import type { MailService } from '../mail/forward.ts'
import type { NotifySettings } from '../notify/notifier.ts'
import { changedFiles } from '../upstream/program-files.ts'

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

/**
 * How people are told. A webhook whose secret is not set is told nothing: unsigned is unproven. A
 * command whose files are not those that a person accepted is not started (SH-18b).
 */
export function notifySettings(
  pinned: PinnedConfig,
  environment: Environment,
  { project, onUnaccepted }: { readonly project: string; readonly onUnaccepted: () => void },
): () => NotifySettings {
  return () => {
    const { webhook, command, files = [] } = pinned.current().notify
    const now = notifyFiles({ command }, { folder: project, environment })
    const isAccepted = changedFiles(files, now).length === 0
    if (!isAccepted && pinned.waiting() === null) onUnaccepted()
    const secret = webhook === undefined ? undefined : environment[webhook.secret_env]
    return {
      ...(webhook === undefined || secret === undefined || secret === ''
        ? {}
        : { webhook: { url: webhook.url, secret } }),
      ...(command === undefined || !isAccepted ? {} : { command, folder: project }),
    }
  }
}

/** The identity provider of the configuration that holds; its secret is read when it is needed. */
export function oidcSettings(
  pinned: PinnedConfig,
  environment: Environment,
): () => OidcSettings | undefined {
  return () => {
    const config = pinned.current().oidc
    return config === null ? undefined : { config, secret: () => clientSecret(config, environment) }
  }
}

function clientSecret(config: OidcConfig, environment: Environment): ClientSecret {
  const { client_secret_env: variable, client_secret_file: file } = config
  if (variable !== undefined) {
    const value = environment[variable] ?? ''
    return value === '' ? { missing: `${variable} is not set on the server.` } : { value }
  }
  if (file === undefined) return { value: undefined }
  try {
    const value = readFileSync(file, 'utf8').trim()
    return value === '' ? { missing: `${file} is empty.` } : { value }
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown'
    return { missing: `${file} cannot be read (${code}).` }
  }
}

/** What is configured but cannot work, for anyone who starts the server. */
export function peopleWarnings(pinned: PinnedConfig, environment: Environment): string[] {
  const { mail, notify, oidc } = pinned.current()
  const named = [
    { name: mail?.resend.key_env, what: 'no mail can be sent' },
    { name: notify.webhook?.secret_env, what: 'the webhook is not called' },
  ]
  const secret = oidc === null ? { value: undefined } : clientSecret(oidc, environment)
  const locked = 'missing' in secret ? [`Nobody can log in: ${secret.missing}`] : []
  const unset = named.flatMap(({ name, what }) =>
    name === undefined || (environment[name] ?? '') !== ''
      ? []
      : [`${name} is not set, so ${what}.`],
  )
  return [...unset, ...locked]
}
