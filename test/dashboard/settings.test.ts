import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually, untilDialogIsGone } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { DashboardWorld } from '../../packages/server/testing/dashboard/world.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

describe('the settings', () => {
  test('PE-4: the PIN is changed by who proves to be there', bound, async () => {
    const { page, complaints } = await visit({
      login: world.personLogin(),
      pin: '482913',
    })
    await page.goto(`${world.url}/settings`)
    const panel = page.getByRole('region', { name: 'PIN' })
    const change = panel.getByRole('button', { name: 'Change the PIN' })
    await panel.getByLabel('New PIN', { exact: true }).fill('735182')
    await panel.getByLabel('New PIN, once more').fill('73518')
    await panel.getByText('The two PINs are different.').waitFor()
    await eventually(() => change.isDisabled()).toBe(true)
    await panel.getByLabel('New PIN, once more').fill('735182')
    await change.click()
    const dialog = page.getByRole('dialog', { name: 'Your PIN' })
    await dialog.getByLabel('PIN').fill('735182')
    await page.keyboard.press('Enter')
    await dialog.getByText('pin_wrong').waitFor()
    await dialog.getByLabel('PIN').fill('482913')
    await page.keyboard.press('Enter')
    await page.getByText('The PIN was changed').first().waitFor()
    const { pins } = world.running.serving.auth
    expect(await pins.check('ann', '482913', 'a login')).toEqual({ kind: 'wrong' })
    expect(await pins.check('ann', '735182', 'a login')).toEqual({ kind: 'right' })
    expect(complaints).toEqual([])
  })

  test('a token is made, counts, and is revoked', bound, async () => {
    const { page, complaints } = await visit({ at: '/settings' })
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('my agent')
    await page.getByRole('dialog').locator('select').selectOption('agent')
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    const secret = await page.getByRole('dialog').locator('code').innerText()
    expect((await world.ask(secret, 'GET', '/api/me')).name).toBe('my agent')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke my agent' }).click()
    await page.getByText('Revoked: my agent').first().waitFor()
    expect((await world.ask(secret, 'GET', '/api/me')).code).toBe('unauthenticated')
    expect(complaints).toEqual([])
  })

  test(
    'the look is kept, and a link logs another browser in until it logs out',
    bound,
    async () => {
      const first = await visit()
      await first.page.goto(`${world.url}/settings`)
      await first.page.getByRole('button', { name: 'Dark' }).click()
      await first.page.reload()
      await first.page.getByRole('heading', { level: 1 }).waitFor()
      const theme = () => first.page.locator('html').getAttribute('data-theme')
      await eventually(theme).toBe('dark')
      await first.page.getByRole('button', { name: 'Sign in on another device' }).click()
      const link = await first.page.locator('.command code', { hasText: '/login/' }).innerText()
      const second = await visit({ login: link })
      await second.page.goto(new URL('/settings', link).href)
      await second.page.getByRole('button', { name: 'Log out here' }).click()
      await second.page.getByText('You are not logged in').waitFor()
    },
  )
})

describe('a change of the configuration', () => {
  test('says what it loosens, on every page, and takes a PIN', bound, async () => {
    const fresh = await DashboardWorld.open()
    const run = await fresh.run('bugfix')
    const write = () => fresh.check(run, 'Write', { file_path: 'a.ts', content: 'x' })
    const file = join(fresh.folder, 'statewright.yaml')
    await fresh.restart(async () => writeFileSync(file, 'mode: observe\n'))
    const { page, context } = await visit({ login: fresh.personLogin(), pin: '271828' })
    await page.getByRole('link', { name: 'a change that loosens the rules is waiting' }).click()
    const panel = page.getByRole('region', { name: 'A change of the configuration is waiting' })
    await panel.getByText('Calls are only recorded, not denied').waitFor()
    await panel.getByRole('button', { name: 'Accept…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Accept the change' })
    await dialog.getByText('This removes protection').waitFor()
    await dialog.getByRole('button', { name: 'Accept the change' }).click()
    await page.getByRole('dialog', { name: 'Your PIN' }).getByLabel('PIN').fill('271828')
    expect((await write()).decision).toBe('deny')
    await page.keyboard.press('Enter')
    await page.getByText('observing only').waitFor()
    await untilDialogIsGone(page)
    await panel.waitFor({ state: 'detached' })
    expect((await write()).would).toBe('deny')
    await context.close()
    await fresh.close()
  })
})

describe('a program of the configuration', () => {
  test('SH-18b: waits with its command line until it is accepted', bound, async () => {
    const fresh = await DashboardWorld.open()
    const mark = join(fresh.folder, 'started')
    const args = ['-e', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`]
    const config = { upstreams: { marker: { command: process.execPath, args } } }
    const file = join(fresh.folder, 'statewright.yaml')
    await fresh.restart(async () => writeFileSync(file, JSON.stringify(config)))
    const { page, context } = await visit({ login: fresh.login() })
    await page.getByRole('link', { name: 'programs wait to be accepted' }).click()
    const panel = page.getByRole('region', { name: 'A change of the configuration is waiting' })
    await panel.getByText('The server starts marker: ').waitFor()
    expect(existsSync(mark)).toBe(false)
    await panel.getByRole('button', { name: 'Accept…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Accept the change' })
    await dialog.getByRole('button', { name: 'Accept the change' }).click()
    await panel.waitFor({ state: 'detached' })
    await eventually(async () => existsSync(mark)).toBe(true)
    await context.close()
    await fresh.close()
  })
})

describe('a large workflow', () => {
  test('of a hundred states is laid out while the page stays awake', bound, async () => {
    const names = Array.from({ length: 100 }, (_, index) => `step_${index}`)
    const states = Object.fromEntries(
      names.map((name, index) => [
        name,
        index === 99
          ? { type: 'final' }
          : { on: { NEXT: `step_${index + 1}`, SKIP: `step_${Math.min(99, index + 7)}` } },
      ]),
    )
    await world.person('PUT', '/api/workflows/large', { id: 'large', initial: 'step_0', states })
    const run = await world.run('large')
    const { page } = await visit({ at: '/runs' })
    const beside = page.waitForEvent('worker')
    await page.getByRole('link', { name: /large/ }).click()
    // A layout in the page itself would stop it for seconds.
    expect((await beside).url()).toContain('elk-worker')
    await page.locator('.diagram[data-ready=true]').waitFor()
    await page.locator('.state').nth(99).waitFor()
    await eventually(() => page.locator('.state').count()).toBe(100)
    expect(run).toMatch(/^run_/)
  })
})
