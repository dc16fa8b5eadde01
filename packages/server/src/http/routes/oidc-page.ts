import { codes } from '@statewright/core/internal'
import type { RuntimeProblem } from '../../base/problem.ts'
import type { Reply } from '../pipeline/reply.ts'
import { document, escaped } from './login-page.ts'

/** On its way to the provider; without it, a link to click. */
export function onwardPage(provider: string, address: string): Reply {
  const link = `<a href="${escaped(address)}">${escaped(provider)}</a>`
  const text = `<p>Redirecting to ${link}.</p>`
  return document(200, `Log in with ${escaped(provider)}`, text, address)
}

/** Not a redirect: browsers keep the login to themselves where a foreign page led here. */
export function loggedInPage(back: string): Reply {
  const text = `<p>You are logged in. <a href="${escaped(back)}">Go on</a></p>`
  return document(200, 'Logged in', text, back)
}

export function confirmedPage(sentence: string): Reply {
  return document(200, 'Confirmed', `<p role="status">${escaped(sentence)}</p>`)
}

export function refusedPage({ code, message, next }: RuntimeProblem, home = '/'): Reply {
  const onward = next === undefined ? '' : `<p>Next: ${escaped(next)}</p>`
  const text = `<p role="alert">${escaped(message)}</p>
${onward}
<p><small><code>${code}</code></small></p>
<p><a href="${escaped(home)}">To the dashboard</a></p>`
  return document(codes[code].status, 'That did not work', text)
}

export interface ConfirmPage {
  readonly provider: string
  readonly code: string
  /** The command line that wants to log in. */
  readonly waiting?: { readonly name: string } | undefined
  readonly isUnknown?: true
}

/** What a command line shows is typed here; anyone who did not start one has nothing to type. */
export function confirmPage({ provider, code, waiting, isUnknown }: ConfirmPage): Reply {
  const note =
    isUnknown === true
      ? '<p role="alert">Nothing is waiting for this code: it was used, or has expired.</p>'
      : waiting === undefined
        ? '<p>Enter the code that your command line shows.</p>'
        : `<p>${escaped(waiting.name)} wants to log in as you.</p>`
  const text = `${note}
<p>Confirm only what you started yourself. You log in again to confirm.</p>
<form method="post" action="/oidc/device">
<p><label>Code <input name="code" value="${escaped(code)}" autocomplete="off" autofocus></label></p>
<p><button>Log in with ${escaped(provider)} and confirm</button></p>
</form>`
  return document(isUnknown === true ? 404 : 200, 'Confirm a command line', text)
}
