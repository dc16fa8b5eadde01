/**
 * What the login pages need of a script: browsers make and use passkeys for nothing else. Names and
 * codes go through `textContent` and fields, never into markup.
 */
export const passkeyScript = `
const area = document.querySelector('[data-passkey]')
const form = document.querySelector('form')
const say = (text) => { area.querySelector('[role=alert]').textContent = text }

async function send(path, body, headers = {}) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.message)
  return said
}

const ways = {
  async create() {
    const options = await send(location.pathname + '/passkey', {})
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = await navigator.credentials.create({ publicKey })
    form.elements.passkey.value = JSON.stringify(made.toJSON())
    form.submit()
  },
  async prove() {
    const options = await send('/api/proof/passkey/options', {})
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const used = await navigator.credentials.get({ publicKey })
    const { proof } = await send('/api/proof/passkey', { credential: used.toJSON() })
    const headers = { 'x-statewright-proof': proof }
    await send('/api/login/device/confirm', { user_code: form.elements.code.value }, headers)
    form.replaceWith('Done. The command line is logged in. You can close this page.')
  },
}

const button = area.querySelector('button')
const isKnown = typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
if (location.hostname === '127.0.0.1') {
  const there = new URL(location.href)
  there.hostname = 'localhost'
  const link = document.createElement('a')
  link.href = there.href
  link.textContent = there.host
  const why = 'A passkey needs a name instead of an IP address: open this page at '
  area.replaceChildren(why, link, '.')
  area.hidden = false
} else if (isKnown) {
  area.hidden = false
  button.addEventListener('click', async () => {
    button.disabled = true
    say('')
    try {
      await ways[area.dataset.passkey]()
    } catch (fault) {
      say('That did not work: ' + fault.message)
      button.disabled = false
    }
  })
}
`
