import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesOf, patience, type Ready, Testbed } from '../packages/server/testing/testbed.ts'

const testbed = new Testbed()
afterAll(() => testbed.close())

let ready: Ready
beforeAll(async () => {
  ready = (await testbed.up('--test-person')).ready
}, patience.timeout)

const logins = join(testbed.home, '.local', 'state', 'statewright', 'logins.json')

describe('login', () => {
  test('nobody is a person without it', patience, async () => {
    const { exit, talk } = await testbed.hosted(['run', 'list'])
    expect([exit, talk.split(':')[0]]).toEqual([3, 'unauthenticated'])
    expect(talk).toContain('next: log in with "statewright login"')
  })

  test(
    'a wrong STATEWRIGHT_TOKEN is named, since logging in would not help',
    patience,
    async () => {
      const wrong = { STATEWRIGHT_TOKEN: 'sw_wrong' }
      const { exit, talk } = await testbed.hosted(['run', 'list'], wrong)
      expect([exit, talk.split(':')[0]]).toEqual([3, 'unauthenticated'])
      expect(talk).toContain('next: unset STATEWRIGHT_TOKEN, which is used instead of your login')
    },
  )

  test(
    'with the link of the server no browser is needed; the link is good once',
    patience,
    async () => {
      const { exit, out } = await testbed.hosted(['login', ready.login])
      expect([exit, out]).toEqual([0, `logged in at ${ready.url}\n`])
      // Only its owner may read the token, and it is not in the answer.
      expect(statSync(logins).mode & 0o777).toBe(0o600)
      expect(Object.keys(JSON.parse(readFileSync(logins, 'utf8')))).toEqual([ready.url])
      const listed = await testbed.hosted(['run', 'list'])
      expect([listed.exit, listed.talk]).toEqual([0, expect.stringContaining('No runs.')])
      const again = await testbed.hosted(['login', ready.login])
      expect([again.exit, again.talk.split(':')[0]]).toEqual([4, 'login_expired'])
    },
  )

  test('without a link a person confirms the code elsewhere', patience, async () => {
    const before = readFileSync(logins, 'utf8')
    const child = testbed.start(['login', '--json'])
    let talk = ''
    child.stderr?.on('data', (chunk) => {
      talk += chunk
    })
    const login = linesOf(child)
    await login.waitForTalk('confirm the code')
    const [, code] = /confirm the code ([A-Z]{4}-[A-Z]{4})\./.exec(talk) ?? []
    const answer = await fetch(`${ready.url}/api/login/device/confirm`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ready.person_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ user_code: code }),
    })
    expect(answer.status).toBe(200)
    expect(await login.ended).toBe(0)
    expect(JSON.parse(login.lines[0] ?? '')).toMatchObject({ url: ready.url })
    expect(readFileSync(logins, 'utf8')).not.toBe(before)
    expect((await testbed.hosted(['token', 'list'])).exit).toBe(0)
    const made = await testbed.hosted(['token', 'create', '--kind', 'agent'])
    expect([made.exit, made.talk.split(':')[0]]).toEqual([5, 'step_up_required'])
  })

  test('a PIN is never taken from a pipe', patience, async () => {
    const { exit, talk } = await testbed.hosted(['login', '--set-pin'])
    expect([exit, talk.split('\n')[0]]).toEqual([
      2,
      'usage: A PIN must be typed in a terminal, and there is none.',
    ])
  })

  test.each([
    [['login', 'http://127.0.0.1:1/login/x'], 6, 'server_unreachable', {}],
    [['login', 'not a link'], 2, 'usage', {}],
    [['run', 'list'], 2, 'usage', { STATEWRIGHT_URL: 'nowhere' }],
    [['run', 'list'], 6, 'server_unreachable', { STATEWRIGHT_URL: 'http://127.0.0.1:1' }],
  ] as const)('%j exits %i as %s', patience, async (args, code, word, environment) => {
    const { exit, talk } = await testbed.hosted(args, environment)
    expect([exit, talk.split(':')[0]]).toEqual([code, word])
  })
})
