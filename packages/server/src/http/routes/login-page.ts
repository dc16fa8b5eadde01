import type { Reply } from '../door/reply.ts'

export interface DevicePage {
  readonly code: string
  readonly asksPin: boolean
  readonly waiting?: { readonly name: string }
  readonly confirmed?: true
  /** Status of the refusal, when the form was sent and refused. */
  readonly refused?: number
}

/** A page without a script: one form. Words that are not ours are escaped. */
export function devicePage(page: DevicePage): Reply {
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Statewright login</title></head>
<body>
<h1>Log in a command line</h1>
${body(page)}
</body>
</html>
`
  const status = page.refused ?? 200
  return { status, type: 'text/html; charset=utf-8', payload: text }
}

function body({ code, asksPin, waiting, confirmed, refused }: DevicePage): string {
  if (confirmed === true) return '<p>Done. The command line is logged in; this page can go.</p>'
  const note =
    refused !== undefined
      ? '<p role="alert">That did not work: the PIN is wrong or locked, or the code is over.</p>'
      : waiting === undefined
        ? '<p>Type the code that the command line shows.</p>'
        : `<p>${escaped(waiting.name)} wants to act as you. Confirm only what you started.</p>`
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
