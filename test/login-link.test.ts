import { afterAll, expect, test } from 'vitest'
import { patience, stopped, Testbed } from '../packages/server/testing/testbed.ts'

const testbed = new Testbed()
afterAll(() => testbed.close())

test(
  'PE-1: no link is printed where no terminal is, once its person can prove who they are',
  patience,
  async () => {
    const first = await testbed.up()
    const body = new URLSearchParams({ name: 'laptop', pin: '471147' })
    const login = await fetch(first.ready.login ?? '', { method: 'POST', body })
    expect(login.status).toBe(201)
    await stopped(first.child, 'SIGTERM')
    const second = await testbed.up()
    expect(second.ready.login).toBeUndefined()
    await stopped(second.child, 'SIGTERM')
  },
)
