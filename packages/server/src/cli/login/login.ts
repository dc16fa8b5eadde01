import { setTimeout as sleep } from 'node:timers/promises'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { type DeviceLogin, endpoints } from '@statewright/core/wire'
import type { Command } from 'commander'
import type { Client } from '../api/client.ts'
import { hasTerminal } from '../ask.ts'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  refuse,
  say,
  saySentence,
  withServer,
} from '../command.ts'
import { atLoopback, logInByLink, showNewLink } from './login-link.ts'
import { keepLogin, loginFile, loginName } from './logins.ts'
import { chooseNewPin } from './proof.ts'

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('log this terminal in, to look, start, pause and approve')
    .argument('[link]', 'the login link that the server printed; without it a browser confirms')
    .option('--set-pin', 'choose a new PIN: with a link, or with the one you have')
    .option('--new-link', 'make the server show a new link in its own terminal')
    .option('--json', 'print one JSON object when done')
    .addHelpText('after', examples)
    .action(login)
}

const examples = `
Without a link a code is shown, which a person confirms in a browser that is
logged in. With the link that "statewright up" printed no browser is needed, and
you choose your first PIN. The token is stored in a file that only you can read;
it may look, start, pause and reject. Whatever lets an agent go on must be
confirmed with the PIN, or by logging in again with the identity provider.

Examples:
  statewright login
  statewright login http://localhost:4747/login/…
  statewright login --new-link
  statewright login --set-pin
`

interface LoginOptions extends JsonOption {
  readonly setPin?: true
  readonly newLink?: true
}

async function login(link: string | undefined, options: LoginOptions): Promise<void> {
  await withServer(async (found) => {
    if (options.newLink === true) return showNewLink(found)
    if (options.setPin === true && link === undefined) return changePin(found)
    // A link names its server itself.
    const address = link === undefined ? undefined : atLoopback(link)
    const url = address === undefined ? found.url : orRefuse(originOf(address))
    const name = loginName()
    const setPin = options.setPin === true
    const token =
      address === undefined
        ? await logInByCode(found)
        : (await logInByLink(address, { name, setPin })).token
    keepLogin(process.env, url, { token, name })
    if (options.json === true) printJson({ url, name })
    else process.stdout.write(`logged in at ${url}\n`)
    saySentence(`Your login is stored in ${loginFile(process.env)}.`)
    saySentence(
      'With it you can look, pause and reject. Letting an agent go on needs your PIN or passkey.',
    )
  })
}

async function logInByCode(client: Client): Promise<string> {
  const begun = await call(client, endpoints.beginDeviceLogin, { body: { name: loginName() } })
  showCode(begun)
  return pollUntilConfirmed(client, begun)
}

function originOf(link: string): Result<string, Problem> {
  if (URL.canParse(link) && /^https?:\/\/[^/]+\/login\/[^/]+$/.test(link)) {
    return ok(new URL(link).origin)
  }
  return err({
    code: 'usage',
    message: 'This is not a login link.',
    where: 'login',
    next: 'copy the whole link that "statewright up" printed.',
  })
}

function showCode({ verification_url, user_code }: DeviceLogin): void {
  say(`Open ${verification_url}`)
  // At an identity provider the person logs in while confirming.
  const isLoggedIn = new URL(verification_url).pathname === endpoints.readDevicePage.path
  const browser = isLoggedIn ? 'a browser that is logged in' : 'a browser'
  say(`in ${browser}, and confirm the code ${user_code}.`)
}

async function pollUntilConfirmed(client: Client, begun: DeviceLogin): Promise<string> {
  const until = Date.now() + begun.expires_in_s * 1000
  const body = { device_code: begun.device_code }
  for (;;) {
    const answer = await client.call(endpoints.claimDeviceLogin, { body })
    if (answer.ok) return answer.value.token
    if (answer.error.code !== 'login_pending') return refuse(answer.error)
    if (Date.now() > until) return refuse({ ...answer.error, next: 'run it again.' })
    await sleep(begun.interval_s * 1000)
  }
}

async function changePin(client: Client): Promise<void> {
  if (!hasTerminal()) {
    return refuse({
      code: 'usage',
      message: 'A PIN must be typed in a terminal, and there is none.',
      where: 'login --set-pin',
      next: 'run it in a terminal of your own.',
    })
  }
  const pin = await chooseNewPin('Choose a new PIN, six characters or more: ')
  if (pin === undefined) {
    return refuse({
      code: 'usage',
      message: 'No PIN was typed. Nothing was changed.',
      where: 'login --set-pin',
      next: 'run it again.',
    })
  }
  await call(client, endpoints.setPin, { body: { pin } })
  say('The PIN is changed.')
}
