import type { Running } from '../../app/start-server.ts'
import { type Client, createClient } from '../api/client.ts'
import { refusable, say, saySentence } from '../command.ts'
import { tryFirstCall } from '../doctor/canary.ts'
import { atLoopback, logInByLink } from '../login/login-link.ts'
import { keepLogin, loginName } from '../login/logins.ts'
import { rememberProof } from '../login/proof.ts'
import { announce } from '../up/talk.ts'
import { startHere } from '../up/up.ts'
import { installClient, sayDenial, sayInstalled, showDenial } from './install-client.ts'

/**
 * The rest of the way for a person at a terminal: the server starts here and goes on, the person is
 * logged in, the client is installed, and a first call of it is denied for real.
 */
export async function setUpClient(client: string): Promise<void> {
  say('Starting the server of this project.')
  const running = await startHere({})
  if (running === undefined) return
  let isInstalled = false
  await refusable(async () => {
    const person = await logInHere(running)
    await guardClient(client, person)
    isInstalled = true
  })
  if (!isInstalled) saySentence(`${client} is not guarded yet: "statewright install ${client}".`)
  await announce(running, {})
  saySentence('The server runs in this terminal until Ctrl-C; "statewright up" starts it again.')
}

/** Anyone who starts a server at its terminal has its login link; here it need not be copied. */
async function logInHere({ serving, url, data }: Running): Promise<Client> {
  const name = loginName()
  const link = atLoopback(serving.loginUrl())
  const { token, pin } = await logInByLink(link, { name, setPin: false })
  keepLogin(process.env, url, { token, name })
  const person = createClient({ url, token, data })
  if (pin !== undefined) await rememberProof(person, pin)
  return person
}

async function guardClient(client: string, person: Client): Promise<void> {
  const done = await installClient(person, client, { yes: true })
  if (done === undefined) return
  sayInstalled(done, {})
  const first = await tryFirstCall(done, person)
  if (first?.denial === undefined) return showDenial(done, person)
  saySentence(`Trying it: a new session of ${client} asks to write a file before anything else.`)
  sayDenial(first.denial)
}
