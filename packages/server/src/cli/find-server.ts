import { err, ok, type Problem, type Result } from '@statewright/core'
import { findRunning } from '../config/discovery.ts'
import { dataFolder, type Environment, projectRoot } from '../config/places.ts'
import { readLogin } from './logins.ts'

export const defaultPort = 4747

export interface FoundServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string | undefined
}

/**
 * The server to talk to: the one that `STATEWRIGHT_URL` names, else the one running for this
 * project, else whatever answers on the usual port.
 */
export function findServer(environment: Environment, folder: string): Result<FoundServer, Problem> {
  const named = environment.STATEWRIGHT_URL
  const url = named === undefined || named === '' ? localServer(environment, folder) : named
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    return err({
      code: 'usage',
      message: `STATEWRIGHT_URL is no address of a server: ${url.slice(0, 200)}`,
      where: 'the environment',
      next: `write it as http://127.0.0.1:${defaultPort}, or unset it.`,
    })
  }
  const base = url.replace(/\/+$/, '')
  const token = environment.STATEWRIGHT_TOKEN
  return ok({
    url: base,
    token: token === undefined || token === '' ? readLogin(environment, base) : token,
  })
}

function localServer(environment: Environment, folder: string): string {
  const data = dataFolder(projectRoot(folder), environment, undefined)
  return findRunning(data)?.url ?? `http://127.0.0.1:${defaultPort}`
}
