import { z } from 'zod'
import { askHidden } from './ask.ts'
import { refuse } from './command.ts'

/**
 * Confirms a login with the link from the server's terminal, as a browser would: the link makes a
 * session, and the session confirms the code. So a machine without a browser needs none.
 */
export async function confirmByLink(url: string, link: string, userCode: string): Promise<void> {
  const session = await redeem(link)
  const first = await confirm(url, session, userCode, undefined)
  if (first.ok) return
  const { code, message } = await reasonOf(first)
  const pin = code === 'step_up_required' ? await askHidden('Confirm with your PIN: ') : undefined
  const second = pin === undefined ? first : await confirm(url, session, userCode, pin)
  if (second.ok) return
  const isSame = second === first
  const why = isSame ? message : (await reasonOf(second)).message
  refuse({
    code: 'not_permitted',
    message: `The login was not confirmed: ${why}`,
    where: 'login',
    next: 'take a new link from the terminal of the server.',
  })
}

async function redeem(link: string): Promise<string> {
  const answer = await reach(link, { redirect: 'manual' })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (cookie !== undefined) return cookie
  return refuse({
    code: 'login_expired',
    message: 'This login link was used before, or is too old.',
    where: 'login',
    next: 'run "statewright login" and confirm the code in a browser, or restart the server.',
  })
}

function confirm(
  url: string,
  session: string,
  userCode: string,
  pin: string | undefined,
): Promise<Response> {
  return reach(`${url}/api/login/device/confirm`, {
    method: 'POST',
    headers: {
      cookie: session,
      origin: url,
      'content-type': 'application/json',
      ...(pin === undefined ? {} : { 'x-statewright-pin': pin }),
    },
    body: JSON.stringify({ user_code: userCode }),
    redirect: 'error',
  })
}

async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch {
    return refuse({
      code: 'server_unreachable',
      message: `No server answers at ${new URL(url).origin}.`,
      where: new URL(url).origin,
      next: 'see that it still runs.',
    })
  }
}

const Reason = z.looseObject({ code: z.string(), message: z.string() })

async function reasonOf(answer: Response): Promise<{ code: string; message: string }> {
  try {
    return Reason.parse(await answer.json())
  } catch {
    return { code: '', message: `it answered with ${answer.status}` }
  }
}
