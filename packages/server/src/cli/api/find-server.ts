import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { allRunning, defaultPort, findRunning } from '../../home/discovery.ts'
import { dataFolder, type Environment, projectRoot } from '../../home/folders.ts'
import { readLogin } from '../login/logins.ts'

export interface FoundServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string | undefined
  /** The hash of another secret by which the server is known, where there is no token. */
  readonly key?: string
  /** The data folder by which it was found. */
  readonly data?: string | undefined
}

/**
 * The server to talk to: the one that `STATEWRIGHT_URL` names, else the one running for this
 * project. Never another: what is meant for one project would be done in another.
 */
export function findServer(environment: Environment, folder: string): Result<FoundServer, Problem> {
  const named = environment.STATEWRIGHT_URL
  const found =
    named === undefined || named === '' ? localServer(environment, folder) : checked(named)
  if (!found.ok) return found
  const { data } = found.value
  const base = found.value.url.replace(/\/+$/, '')
  const token = environment.STATEWRIGHT_TOKEN
  return ok({
    url: base,
    token: token === undefined || token === '' ? readLogin(environment, base) : token,
    data,
  })
}

interface ServerLocation {
  readonly url: string
  readonly data?: string
}

function checked(url: string): Result<ServerLocation, Problem> {
  // The name may lead to the port of another program beside ours.
  const address = url.replace(/^http:\/\/localhost(?=[:/]|$)/, 'http://127.0.0.1')
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return ok({ url: address })
  return err({
    code: 'usage',
    message: `STATEWRIGHT_URL is not the address of a server: ${url.slice(0, 200)}`,
    where: 'the environment',
    next: `write it as http://127.0.0.1:${defaultPort}, or unset it.`,
  })
}

function localServer(environment: Environment, folder: string): Result<ServerLocation, Problem> {
  const project = projectRoot(folder)
  const data = dataFolder(project, environment, undefined)
  const running = findRunning(data)
  if (running !== undefined) return ok({ url: running.url, data })
  const others = allRunning(environment).flatMap(({ project: other, url }) =>
    other === undefined ? [] : [`${other} (${url})`],
  )
  const elsewhere = others.length === 0 ? '' : ` Servers run for: ${others.join(', ')}.`
  return err({
    code: 'server_unreachable',
    message: `No server is running for the project ${project}.${elsewhere}`,
    where: project,
    next: 'start it with "statewright up" in that folder, or name another in STATEWRIGHT_URL.',
  })
}
