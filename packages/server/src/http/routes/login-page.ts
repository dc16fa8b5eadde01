import { type Factor, pinLength } from '@statewright/core/wire'
import type { Reply } from '../pipeline/reply.ts'

export interface DevicePage {
  readonly code: string
  /** What the person has, who is asked for it. */
  readonly factors: readonly Factor[]
  readonly waiting?: { readonly name: string }
  readonly confirmed?: true
  /** Status of the refusal, when the form was sent and refused. */
  readonly refused?: number
}

export function devicePage(page: DevicePage): Reply {
  return document(page.refused ?? 200, 'Log in a command line', body(page))
}

export interface LinkPage {
  readonly person: string
  readonly factors: readonly Factor[]
}

const linkTitle = 'Log in to Statewright'

export function goneLinkPage(): Reply {
  const gone = `<p role="alert">This link was already used, or is older than ten minutes.</p>
<p>Get a new one from the terminal of the server.</p>`
  return document(404, linkTitle, gone)
}

/** The page of a login link: a click uses it up, which no preview of it does. */
export function linkPage({ person, factors }: LinkPage): Reply {
  const { min, max } = pinLength
  const hasPin = factors.includes('pin')
  const label = hasPin ? 'A new PIN, if you forgot yours' : 'Choose a PIN'
  const why = hasPin
    ? 'Leave it empty to keep your PIN.'
    : `${min} characters or more. The command line asks for it: passkeys only work in browsers.`
  const need =
    factors.length > 0
      ? ''
      : `<p>You will need a passkey or a PIN to approve, and to change what is allowed.
You can also choose one later, with another link.</p>`
  const passkey = passkeyArea('create', {
    label: factors.includes('passkey') ? 'Choose another passkey' : 'Choose a passkey',
    why: 'Your fingerprint, your face or a security key. You are logged in with it at once.',
  })
  return document(
    200,
    linkTitle,
    `<p>You log in as <strong>${escaped(person)}</strong>.</p>
${need}
${passkey}
<form method="post">
<input type="hidden" name="passkey">
<p><label>${label}<br>
<input name="pin" type="password" minlength="${min}" maxlength="${max}"
 autocomplete="new-password"></label><br><small>${why}</small></p>
<p><button>Log in</button></p>
</form>`,
  )
}

/** Shown by its script, where the browser knows passkeys. */
function passkeyArea(
  way: 'create' | 'prove',
  { label, why }: { readonly label: string; readonly why: string },
): string {
  return `<div data-passkey="${way}" hidden>
<p><button type="button">${label}</button><br><small>${why}</small></p>
<p role="alert"></p>
</div>
<script type="module" src="/passkey.js"></script>`
}

/** Words that are not ours were escaped; the content policy lets no script run but our own. */
export function document(status: number, title: string, content: string, onward?: string): Reply {
  // A page leads on by itself where a redirect would not: after a form, under our content policy.
  const refresh =
    onward === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escaped(onward)}">\n`
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width">
${refresh}<link rel="stylesheet" href="/docs/style.css"></head>
<body class="login"><main>
<h1>${title}</h1>
${content}
</main></body>
</html>
`
  return { status, type: 'text/html; charset=utf-8', payload: text }
}

function body({ code, factors, waiting, confirmed, refused }: DevicePage): string {
  if (confirmed === true)
    return '<p>Done. The command line is logged in. You can close this page.</p>'
  const note =
    refused !== undefined
      ? '<p role="alert">The PIN is wrong or locked, or the code has expired. Try again.</p>'
      : waiting === undefined
        ? '<p>Enter the code that the command line shows.</p>'
        : `<p>${escaped(waiting.name)} wants to log in as you. Confirm only what you started.</p>`
  const hasPasskey = factors.includes('passkey')
  const hasPin = factors.includes('pin')
  const passkey = hasPasskey
    ? passkeyArea('prove', {
        label: 'Confirm with your passkey',
        why: hasPin ? 'Or with your PIN:' : 'Your fingerprint, your face or a security key.',
      })
    : ''
  const pin = hasPin
    ? '<p><label>PIN <input name="pin" type="password" autocomplete="off"></label></p>'
    : ''
  // Who has only a passkey has nothing to type.
  const confirm = hasPasskey && !hasPin ? '' : '<p><button>Confirm</button></p>'
  return `${note}
<form method="post" action="/login-device">
<p><label>Code <input name="code" value="${escaped(code)}" autocomplete="off"></label></p>
${passkey}
${pin}
${confirm}
</form>`
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
