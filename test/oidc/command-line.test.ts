import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bin,
  linesOf,
  patience,
  type Ready,
  Testbed,
} from '../../packages/server/testing/testbed.ts'
import { clientSecret, IdentityProvider, Surfer } from '../support/identity-provider.ts'
import { atTerminal } from '../support/terminal.ts'

const testbed = new Testbed()
let provider: IdentityProvider
let ready: Ready
let page: string

beforeAll(async () => {
  provider = await IdentityProvider.start([])
  provider.accounts.set('ann', { name: 'Ann Lee', roles: ['admins'] })
  provider.accounts.set('sam', { name: 'Sam', roles: ['starters'] })
  mkdirSync(join(testbed.home, '.config/statewright'), { recursive: true })
  writeFileSync(join(testbed.folder, 'secret'), `${clientSecret}\n`)
  const { client_secret_env: _, ...config } = provider.config()
  const oidc = { ...config, client_secret_file: join(testbed.folder, 'secret') }
  const file = join(testbed.home, '.config/statewright/config.yaml')
  writeFileSync(file, JSON.stringify({ oidc }))
  ready = (await testbed.up('--test-person')).ready
  page = new URL(ready.login).origin
  provider.register([`${page}/oidc/callback`])
}, patience.timeout)

afterAll(async () => {
  testbed.close()
  await provider.close()
})

/** What a person does who opens the page, types the code and logs in; the page they see then. */
async function confirm(code: string, login: string): Promise<string> {
  const body = new URLSearchParams({ code })
  const sent = await fetch(`${page}/oidc/device`, {
    method: 'POST',
    headers: { origin: page },
    body,
  })
  const text = await sent.text()
  const address = /<a href="([^"]+)"/.exec(text)?.[1] ?? ''
  const plain = address.replaceAll(/&#(\d+);/g, (_, one) => String.fromCharCode(Number(one)))
  const back = await new Surfer().logIn(plain, login)
  const cookie = sent.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return (await fetch(back, { headers: { cookie } })).text()
}

const codeShape = /code ([A-Z]{4}-[A-Z]{4})/

async function logIn(login: string): Promise<void> {
  const child = testbed.start(['login'])
  let talk = ''
  child.stderr?.on('data', (chunk) => {
    talk += chunk
  })
  const shown = linesOf(child)
  await shown.waitForTalk('and confirm the code ')
  await expect.poll(() => codeShape.test(talk)).toBe(true)
  expect(talk).toContain(`${page}/oidc/device?code=`)
  expect(await confirm(codeShape.exec(talk)?.[1] ?? '', login)).toContain('is logged in')
  expect(await shown.ended).toBe(0)
}

describe('a command line, where people log in with an identity provider', () => {
  test('PE-15: the server prints the page instead of a link, and no token', patience, () => {
    expect(ready.login).toMatch(/^http:\/\/localhost:\d+\/$/)
    expect(ready.person_token).toBe(undefined)
  })

  test('PE-16: logs in by a code, and shows another for each proof', patience, async () => {
    await logIn('ann')
    const args = ['token', 'create', '--kind', 'agent', '--json']
    const alone = await testbed.hosted(args)
    expect([alone.exit, alone.talk.split(':')[0]]).toEqual([5, 'step_up_required'])
    expect(alone.talk).toContain('it shows where to log in again')
    let confirmed: Promise<string> | undefined
    const screen = await atTerminal(
      `'${process.execPath}' '${bin}' ${args.join(' ')}; echo ended with $?`,
      {
        folder: testbed.folder,
        cwd: testbed.project,
        env: testbed.environment(),
        onScreen: (seen) => {
          const code = codeShape.exec(seen)?.[1]
          if (code !== undefined) confirmed ??= confirm(code, 'ann')
        },
      },
      [],
    )
    expect(screen).toContain(`Open ${page}/oidc/device`)
    expect(screen).toMatch(/\{"id":"agent_[^}]*"token":"sw_agent_/)
    expect(screen).toContain('ended with 0')
    expect(await confirmed).toContain('You are confirmed.')
  })

  test('PE-13: hears plainly what the roles do not let it do', patience, async () => {
    await logIn('sam')
    const { exit, talk } = await testbed.hosted(['token', 'create', '--kind', 'agent'])
    expect([exit, talk.split('\n')[0]]).toEqual([
      3,
      'not_permitted: Your roles do not include "mint".',
    ])
  })

  test('PE-15: has no PIN to choose', patience, async () => {
    const secret = 'A'.repeat(43)
    const { exit, talk } = await testbed.hosted(['login', `${page}/login/${secret}`])
    expect([exit, talk.split(':')[0]]).toEqual([3, 'oidc_only'])
  })
})

test('PE-17: of a project waits for a person, and then holds at once', patience, async () => {
  const other = new Testbed()
  try {
    const oidc = provider.config()
    writeFileSync(join(other.project, 'statewright.yaml'), JSON.stringify({ oidc }))
    const { ready, talk } = await other.up('--test-person')
    const token = ready.person_token ?? ''
    const asTester = { STATEWRIGHT_TOKEN: token }
    expect(talk()).toContain(`${provider.issuer} decides who may log in here`)
    const provided = async () => {
      const answer = await fetch(`${ready.url}/api/login`)
      return ((await answer.json()) as { provider: string | null }).provider // As it promises.
    }
    expect([await provided(), ready.login.includes('/login/')]).toEqual([null, true])
    const accepted = await other.hosted(['config', 'accept', '--yes'], asTester)
    expect([accepted.exit, await provided()]).toEqual([0, 'Example'])
    // Whoever accepted it has logged themselves out: they come from the provider now.
    const me = { headers: { authorization: `Bearer ${token}` } }
    expect((await fetch(`${ready.url}/api/me`, me)).status).toBe(401)
    expect((await fetch(ready.login)).status).toBe(403)
    const body = new URLSearchParams()
    const begun = await fetch(`${ready.url.replace('127.0.0.1', 'localhost')}/oidc/login`, {
      method: 'POST',
      body,
    })
    expect([begun.status, await begun.text()]).toEqual([
      503,
      expect.stringContaining('OIDC_SECRET is not set on the server.'),
    ])
  } finally {
    other.close()
  }
})
