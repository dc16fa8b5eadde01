import type { Result } from '@statewright/core/internal'
import { z } from 'zod'
import { findRunning } from '../../config/discovery.ts'
import type { Client } from '../api/client.ts'
import { hasTerminal } from '../ask.ts'
import { refuse, say } from '../command.ts'
import { chooseNewPin } from './proof.ts'

export interface LinkWish {
  /** How this command line is shown to people. */
  readonly name: string
  /** A new PIN, also where there is one. */
  readonly setPin: boolean
}

/**
 * Logs in with the link from the terminal of the server: no browser is needed. Who has no PIN yet
 * may choose one, because nothing but a link sets the first.
 */
export async function logInByLink(link: string, { name, setPin }: LinkWish): Promise<string> {
  const { factors } = await read(await reach(link, {}), Page)
  const isAsked = setPin || !factors.includes('pin')
  const pin = hasTerminal() && isAsked ? await newPin(setPin) : undefined
  const body = new URLSearchParams({ name, ...(pin === undefined ? {} : { pin }) })
  const answer = await reach(link, { method: 'POST', body })
  return (await read(answer, z.looseObject({ token: z.string() }))).token
}

/** People log in with an identity provider there. */
const NoLinks = z.looseObject({ code: z.literal('oidc_only'), message: z.string() })

const Page = z.looseObject({ factors: z.array(z.string()) })

/**
 * Lets the server show another link where it was started. Whoever asks does not get to see it: the
 * link is for the person who sits there.
 */
export function showNewLink({ data }: Client): void {
  const running = data === undefined ? undefined : findRunning(data)
  if (running === undefined || process.platform === 'win32') {
    refuse({
      code: 'usage',
      message: 'The server of this folder does not run on this machine, or cannot be reached so.',
      where: 'login --new-link',
      next: 'start it anew: it prints a link, or let somebody who is logged in make you one.',
    })
  }
  process.kill(running.pid, 'SIGUSR2')
  say('The terminal in which the server runs shows a new link, if it is one.')
}

async function newPin(isWanted: boolean): Promise<string | undefined> {
  const later = isWanted ? '' : ' (Enter: later)'
  const question = `Choose a PIN to approve with, six characters or more${later}: `
  return orStop(await chooseNewPin(question))
}

function orStop(chosen: Result<string | undefined, string>): string | undefined {
  if (chosen.ok) return chosen.value
  return refuse({
    code: 'usage',
    message: `${chosen.error} Nothing was changed.`,
    where: 'login',
    next: 'run it again; the link still works.',
  })
}

async function read<Shape extends z.ZodType>(
  answer: Response,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const body: unknown = await answer.json().catch(() => undefined)
  const parsed = shape.safeParse(answer.ok ? body : undefined)
  if (parsed.success) return parsed.data
  const elsewhere = NoLinks.safeParse(body)
  if (elsewhere.success) {
    const next = 'run "statewright login" without a link.'
    return refuse({ ...elsewhere.data, where: 'login', next })
  }
  return refuse({
    code: 'login_expired',
    message: 'This login link was used before, or is too old.',
    where: 'login',
    next: 'run "statewright login" and confirm the code in a browser, or restart the server.',
  })
}

async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    const headers = { accept: 'application/json', connection: 'close' }
    return await fetch(url, { ...options, headers, redirect: 'error' })
  } catch {
    return refuse({
      code: 'server_unreachable',
      message: `No server answers at ${new URL(url).origin}.`,
      where: new URL(url).origin,
      next: 'see that it still runs.',
    })
  }
}
