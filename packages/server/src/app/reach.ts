import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import type { Environment } from '../home/folders.ts'

/** From where the server is reached: this machine alone, unless a person says otherwise. */
export interface Reach {
  readonly host?: string
  readonly publicUrls?: readonly string[]
}

/**
 * Reads `--host` and `--public-url`. A server that listens to other machines must know the names
 * under which they reach it: it answers under no other, so that no stranger's page can point its
 * own name at it.
 */
export function reachOf(
  options: { readonly host?: string; readonly publicUrl?: readonly string[] },
  environment: Environment,
): Result<Reach, Problem> {
  const host = options.host ?? environment.STATEWRIGHT_HOST ?? ''
  const given = options.publicUrl ?? (environment.STATEWRIGHT_PUBLIC_URL ?? '').split(',')
  const urls = given.map((url) => url.trim()).filter((url) => url !== '')
  for (const url of urls) {
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) continue
    return err({
      code: 'usage',
      message: `"${url}" is not an address that begins with http:// or https://.`,
      where: '--public-url',
      next: 'write it as https://statewright.example.com.',
    })
  }
  const isLocal = host === '' || host === '127.0.0.1' || host === 'localhost' || host === '::1'
  if (!isLocal && urls.length === 0) {
    return err({
      code: 'usage',
      message: `The server would listen on ${host}, but others have no address to reach it.`,
      where: '--host',
      next: 'add --public-url with that address.',
    })
  }
  return ok({
    ...(host === '' ? {} : { host }),
    ...(urls.length === 0 ? {} : { publicUrls: urls }),
  })
}
