import { hostname, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { err, ok, type Problem, type Result } from '@statewright/core'
import type { Command } from 'commander'
import { z } from 'zod'
import { hasTerminal } from './ask.ts'
import { type Client, createClient } from './client.ts'
import { ask, type JsonOption, orRefuse, printJson, refuse, say, withServer } from './command.ts'
import { confirmByLink } from './login-link.ts'
import { keepLogin, loginFile } from './logins.ts'
import { choosePin } from './pin.ts'

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('log this terminal in, so that you can approve, push and make tokens')
    .argument('[link]', 'the login link that the server printed; without it a browser confirms')
    .option('--set-pin', 'set the PIN that dangerous answers are asked for')
    .option('--json', 'print one JSON object when done')
    .addHelpText('after', examples)
    .action(login)
}

const examples = `
Without a link a code is shown, which a person confirms in a browser that is
logged in. With the link that "statewright up" printed no browser is needed. The
token is kept in a file that only you can read.

Examples:
  statewright login
  statewright login http://127.0.0.1:4747/login/…
  statewright login --set-pin
`

interface LoginOptions extends JsonOption {
  readonly setPin?: true
}

async function login(link: string | undefined, options: LoginOptions): Promise<void> {
  await withServer(async (found) => {
    if (options.setPin === true && link === undefined) return setPin(found)
    // A link names its server itself.
    const client =
      link === undefined ? found : createClient({ url: orRefuse(originOf(link)), token: undefined })
    const begun = await begin(client)
    if (link === undefined) showCode(begun)
    else await confirmByLink(client.url, link, begun.user_code)
    const token = await pollUntilConfirmed(client, begun)
    const name = loginName()
    keepLogin(process.env, client.url, { token, name })
    if (options.json === true) printJson({ url: client.url, name })
    else process.stdout.write(`logged in at ${client.url}\n`)
    say(`The token is kept in ${loginFile(process.env)}.`)
    if (options.setPin === true) await setPin(createClient({ url: client.url, token }))
  })
}

function originOf(link: string): Result<string, Problem> {
  if (URL.canParse(link) && /^https?:\/\/[^/]+\/login\/[^/]+$/.test(link)) {
    return ok(new URL(link).origin)
  }
  return err({
    code: 'usage',
    message: 'That is no login link.',
    where: 'login',
    next: 'copy the whole link that "statewright up" printed.',
  })
}

const Begun = z.looseObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_url: z.string(),
  expires_in_s: z.number(),
  interval_s: z.number(),
})
type Begun = z.infer<typeof Begun>

function begin(client: Client): Promise<Begun> {
  const body = { name: loginName() }
  return ask(client, { method: 'POST', path: '/api/login/device', body }, Begun)
}

function loginName(): string {
  let user = 'somebody'
  try {
    user = userInfo().username
  } catch {
    // An account without an entry has no name; the host alone tells where the login came from.
  }
  return `${user} at ${hostname()}`.slice(0, 200)
}

function showCode({ verification_url, user_code }: Begun): void {
  say(`Open ${verification_url}`)
  say(`in a browser that is logged in, and confirm the code ${user_code}.`)
}

const Given = z.looseObject({ token: z.string() })

async function pollUntilConfirmed(client: Client, begun: Begun): Promise<string> {
  const until = Date.now() + begun.expires_in_s * 1000
  const body = { device_code: begun.device_code }
  for (;;) {
    const answer = await client.ask(
      { method: 'POST', path: '/api/login/device/token', body },
      Given,
    )
    if (answer.ok) return answer.value.token
    if (answer.error.code !== 'login_pending') return refuse(answer.error)
    if (Date.now() > until) return refuse({ ...answer.error, next: 'run it again.' })
    await sleep(begun.interval_s * 1000)
  }
}

async function setPin(client: Client): Promise<void> {
  if (!hasTerminal()) {
    refuse({
      code: 'usage',
      message: 'A PIN is typed at a terminal, and there is none.',
      where: 'login --set-pin',
      next: 'run it in a terminal of your own.',
    })
  }
  const chosen = await choosePin(client)
  if (chosen === undefined) {
    return refuse({
      code: 'usage',
      message: 'The two were not the same. Nothing was changed.',
      where: 'login --set-pin',
      next: 'run it again.',
    })
  }
  orRefuse(chosen)
  say('The PIN is set.')
}
