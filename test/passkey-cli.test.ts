import { afterAll, expect, test } from 'vitest'
import { TestAuthenticator } from '../packages/server/testing/peers/authenticator.ts'
import { patience, Testbed } from '../packages/server/testing/testbed.ts'

const testbed = new Testbed()
afterAll(() => testbed.close())

test('PE-10: a command line sends who has only a passkey to the browser', patience, async () => {
  const { ready } = await testbed.up('--test-person')
  const link = async (): Promise<string> => {
    const answer = await fetch(`${ready.url}/api/login/link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.person_token}` },
      body: JSON.stringify({ person: 'kim' }),
    })
    return ((await answer.json()) as { url: string }).url // As the route promises.
  }
  const first = await link()
  const { origin } = new URL(first)
  const request = await fetch(`${first}/passkey`, {
    method: 'POST',
    headers: { origin },
    body: '{}',
  })
  const options = (await request.json()) as { challenge: string } // As the route promises.
  const passkey = JSON.stringify(new TestAuthenticator().create(options, origin))
  const done = await fetch(first, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ passkey }),
    redirect: 'manual',
  })
  expect(done.status).toBe(303)

  expect((await testbed.hosted(['login', await link()])).exit).toBe(0)
  const { exit, talk } = await testbed.hosted(['token', 'create', '--kind', 'agent'])
  expect([exit, talk.split(':')[0]]).toEqual([5, 'step_up_required'])
  expect(talk).toContain('next: do it in the browser, where your passkey works.')
})
