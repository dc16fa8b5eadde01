import { pinLength } from '../auth/pin.ts'
import type { Reply } from '../door/reply.ts'

export interface DevicePage {
  readonly code: string
  readonly asksPin: boolean
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
  readonly hasPin: boolean
}

const linkTitle = 'Log in to Statewright'

export function goneLinkPage(): Reply {
  const gone = `<p role="alert">This link was used before, or is older than ten minutes.</p>
<p>Take a new one from the terminal of the server.</p>`
  return document(404, linkTitle, gone)
}

/** The page of a login link: a click uses it up, which no preview of it does. */
export function linkPage({ person, hasPin }: LinkPage): Reply {
  const { least, most } = pinLength
  const label = hasPin ? 'A new PIN, if you forgot yours' : 'Choose a PIN'
  const why = hasPin
    ? 'Leave it empty to keep the PIN that you have.'
    : `You will need it to approve, and to change what is allowed: ${least} characters or more.
You can leave it empty and choose one later, with another link.`
  return document(
    200,
    linkTitle,
    `<p>You log in as <strong>${escaped(person)}</strong>.</p>
<form method="post">
<p><label>${label}<br>
<input name="pin" type="password" minlength="${least}" maxlength="${most}"
 autocomplete="new-password"></label><br><small>${why}</small></p>
<p><button>Log in</button></p>
</form>`,
  )
}

/** A page without a script. Words that are not ours were escaped. */
function document(status: number, title: string, content: string): Reply {
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/docs/style.css"></head>
<body class="login"><main>
<h1>${title}</h1>
${content}
</main></body>
</html>
`
  return { status, type: 'text/html; charset=utf-8', payload: text }
}

function body({ code, asksPin, waiting, confirmed, refused }: DevicePage): string {
  if (confirmed === true) return '<p>Done. The command line is logged in; this page can go.</p>'
  const note =
    refused !== undefined
      ? '<p role="alert">That did not work: the PIN is wrong or locked, or the code is over.</p>'
      : waiting === undefined
        ? '<p>Type the code that the command line shows.</p>'
        : `<p>${escaped(waiting.name)} wants to log in as you. Confirm only what you started.</p>`
  const pin = asksPin
    ? '<p><label>PIN <input name="pin" type="password" autocomplete="off"></label></p>'
    : ''
  return `${note}
<form method="post" action="/login-device">
<p><label>Code <input name="code" value="${escaped(code)}" autocomplete="off"></label></p>
${pin}
<p><button>Confirm</button></p>
</form>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
