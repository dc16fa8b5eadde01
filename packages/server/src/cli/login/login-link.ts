import type { Problem, Result } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { linkKey } from '../../clients/server-key.ts'
import { findRunning } from '../../home/discovery.ts'
import { type Client, createClient } from '../api/client.ts'
import { hasTerminal } from '../ask.ts'
import { refuse, say } from '../command.ts'
import { chooseNewPin } from './proof.ts'

export interface LinkWish {
  /** How this command line is shown to people. */
  readonly name: string
  /** A new PIN, also where there is one. */
  readonly setPin: boolean
}

export interface LinkLogin {
  readonly token: string
  /** The one that was chosen with it, if any. */
  readonly pin: string | undefined
}

/** Links name `localhost` for the sake of browsers; commands know the server by its address. */
export function atLoopback(link: string): string {
  return link.replace(/^http:\/\/localhost(?=[:/])/, 'http://127.0.0.1')
}

/**
 * Logs in with the link from the terminal of the server: no browser is needed. Who has no PIN yet
 * may choose one, because nothing but a link sets the first.
 */
export async function logInByLink(link: string, { name, setPin }: LinkWish): Promise<LinkLogin> {
  const { origin, pathname } = new URL(link)
  // As nobody: anyone who has the link is who it says.
  const params = { secret: pathname.slice('/login/'.length) }
  const key = linkKey(params.secret)
  const client = createClient({ url: origin, token: undefined, key })
  const found = await client.call(endpoints.readLoginLink, { params })
  if (!found.ok && found.error.code === 'unauthenticated') return unknownLink(origin)
  const { factors } = orStop(found)
  const asksForPin = setPin || !factors.includes('pin')
  const later = setPin ? '' : ' (Enter: later)'
  const question = `Choose a PIN to approve with, six characters or more${later}: `
  const pin = hasTerminal() && asksForPin ? await chooseNewPin(question) : undefined
  const body = { name, ...(pin === undefined ? {} : { pin }) }
  const made = orStop(await client.call(endpoints.redeemLoginLink, { params, body }))
  // Only browsers are led on, and they send no name.
  return typeof made === 'string' ? refuse(gone) : { token: made.token, pin }
}

/** The server knows no such link, which it was not even sent. */
async function unknownLink(url: string): Promise<never> {
  const way = await createClient({ url, token: undefined }).call(endpoints.getLoginWay, {})
  if (!way.ok || way.value.provider === null) return refuse(gone)
  const message = `People can only log in with ${way.value.provider} here.`
  const next = 'run "statewright login" without a link.'
  return refuse({ code: 'oidc_only', message, where: 'login', next })
}

/**
 * Lets the server show another link where it was started. Whoever asks does not get to see it: the
 * link is for the person who sits there.
 */
export function showNewLink({ data }: Client): void {
  const running = data === undefined ? undefined : findRunning(data)
  if (running === undefined || process.platform === 'win32') {
    refuse({
      code: 'usage',
      message:
        'The server of this folder is not running on this machine, or cannot be reached this way.',
      where: 'login --new-link',
      next: 'restart it, and it prints a link. Or ask somebody who is logged in to create one.',
    })
  }
  process.kill(running.pid, 'SIGUSR2')
  say('The server shows a new link if it runs in a terminal.')
}

const gone: Problem = {
  code: 'login_expired',
  message: 'This login link was already used, or has expired.',
  where: 'login',
  next: 'run "statewright login --new-link" for another link, or "statewright login" for a code.',
}

function orStop<Value>(answer: Result<Value, Problem>): Value {
  if (answer.ok) return answer.value
  return refuse(answer.error.code === 'login_expired' ? gone : answer.error)
}
