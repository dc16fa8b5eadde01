import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  addAuthenticator,
  eventually,
  untilDialogHasFocus,
  untilDialogIsGone,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, browser, visit } = await openDashboard()

async function parkedRun(): Promise<string> {
  const run = await world.run('deploy')
  await world.move(run, 'READY', { version: '2.5.0' })
  return run
}

const stateOf = async (run: string) => (await world.person('GET', `/api/runs/${run}`)).state

async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'Approve: preparing → releasing' }).waitFor()
  await untilDialogHasFocus(page)
  await page.keyboard.press('Enter')
}

const settings = (page: Page) => page.goto(new URL('/settings', page.url()).href)
const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

describe('a passkey', () => {
  test('PE-8, PE-9: is chosen with a login link, approves, and is removed', bound, async () => {
    const login = world.namedLogin('ann')
    const { page, complaints } = await visit({ login: login, passkey: true })
    const run = await parkedRun()
    await approve(page)
    const dialog = page.getByRole('dialog', { name: 'Your passkey' })
    await dialog.waitFor()
    expect(await stateOf(run)).toBe('preparing')
    await dialog.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByText('Nothing waits for you.').waitFor()
    await eventually(() => stateOf(run)).toBe('releasing')
    await settings(page)
    const remove = passkeys(page).getByRole('button', { name: 'Remove passkey 1' })
    await remove.click()
    await dialog.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByText('Removed: passkey 1').first().waitFor()
    await remove.waitFor({ state: 'detached' })
    await page.goto(new URL('/', page.url()).href)
    const second = await parkedRun()
    await approve(page)
    await page.getByRole('heading', { name: 'You have no passkey or PIN yet' }).waitFor()
    expect(await stateOf(second)).toBe('preparing')
    await world.person('POST', `/api/runs/${second}/stop`, {})
    expect(complaints).toEqual([])
  })

  test('PE-8, PE-10: is added with the PIN, which stays the other way', bound, async () => {
    const { page } = await visit({ login: world.namedLogin('bob'), pin: '482913' })
    await addAuthenticator(page)
    await settings(page)
    await passkeys(page).getByLabel('Name of a new passkey').fill('laptop')
    await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
    const pin = page.getByRole('dialog', { name: 'Your PIN' })
    await pin.getByLabel('PIN').fill('482913')
    await page.keyboard.press('Enter')
    await passkeys(page).getByRole('cell', { name: 'laptop', exact: true }).waitFor()
    await untilDialogIsGone(page)
    await page.goto(new URL('/', page.url()).href)
    const run = await parkedRun()
    await approve(page)
    const dialog = page.getByRole('dialog', { name: 'Your passkey' })
    await dialog.getByRole('button', { name: 'Use the PIN' }).click()
    await pin.getByLabel('PIN').fill('482913')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing waits for you.').waitFor()
    await eventually(() => stateOf(run)).toBe('releasing')
  })

  test('PE-1: confirms the login of a command line', bound, async () => {
    const { page } = await visit({ login: world.namedLogin('kim'), passkey: true })
    const begun = await world.person('POST', '/api/login/device', { name: 'laptop' })
    await page.goto(new URL(`/login-device?code=${begun.user_code}`, page.url()).href)
    await page.getByRole('button', { name: 'Confirm with your passkey' }).click()
    await page.getByText('The command line is logged in').waitFor()
    const { device_code } = begun
    const given = await world.person('POST', '/api/login/device/token', { device_code })
    expect((await world.ask(given.token, 'GET', '/api/me')).person).toBe('kim')
  })

  test('PE-8: at an IP address the pages lead to the name', bound, async () => {
    const page = await browser.newPage()
    await page.goto(world.personLogin())
    const link = page.getByRole('link', { name: /^localhost:\d+$/ })
    await link.click()
    await page.getByRole('button', { name: 'Choose a passkey' }).waitFor()
    expect(new URL(page.url()).hostname).toBe('localhost')
    await page.close()
  })
})
