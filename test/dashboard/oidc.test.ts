import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  eventually,
  untilDialogHasFocus,
  untilDialogIsGone,
  watch,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { addLag } from '../../packages/server/testing/dashboard/lag.ts'
import { clientSecret, IdentityProvider } from '../support/identity-provider.ts'

const bound = { timeout: 120_000 }
const provider = await IdentityProvider.start([])
afterAll(() => provider.close())
provider.accounts.set('ann', { name: 'Ann Lee', roles: ['admins'] })
provider.accounts.set('gus', { name: 'Gus', roles: ['guests'] })
provider.accounts.set('sam', { name: 'Sam', roles: ['starters'] })
const oidc = provider.config()
const { world, browser } = await openDashboard({ oidc }, { OIDC_SECRET: clientSecret })
provider.register([`${world.running.serving.peopleUrl}/oidc/callback`])

async function signIn(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('x')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

const live = (page: Page) => page.getByRole('status').filter({ hasText: 'Live' }).waitFor()

/** Somebody who opens a page of the dashboard and logs in. */
async function visitor(login: string, path = '/') {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(45_000)
  await addLag(context)
  const page = await context.newPage()
  const complaints = watch(page)
  await page.goto(world.running.serving.peopleUrl + path)
  await page.getByRole('button', { name: 'Log in with Example' }).click()
  await signIn(page, login)
  await live(page)
  return { context, page, complaints }
}

async function parkedRun(): Promise<string> {
  const run = await world.run('deploy')
  await world.move(run, 'READY', { version: '2.5.0' })
  return run
}

const stateOf = async (run: string) => (await world.person('GET', `/api/runs/${run}`)).state

async function approve(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'Approve: preparing → releasing' }).waitFor()
  await untilDialogHasFocus(page)
  await page.getByLabel('Note').fill(note)
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
}

async function otherTab(context: BrowserContext, open: () => Promise<void>): Promise<Page> {
  const opened = context.waitForEvent('page')
  await open()
  return opened
}

describe('people of an identity provider', () => {
  test('PE-12: log in from a page, come back to it, and log out', bound, async () => {
    const { page, complaints } = await visitor('ann', '/settings')
    expect(new URL(page.url()).pathname).toBe('/settings')
    await page.getByText('People log in with Example in each browser.').waitFor()
    // Theirs are at the provider.
    expect(await page.getByRole('region', { name: 'Passkeys' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Log out here' }).click()
    await page.getByRole('button', { name: 'Log in with Example' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('PE-14: approve after a fresh login in another tab, and lose nothing', bound, async () => {
    const { page, context, complaints } = await visitor('ann')
    const run = await parkedRun()
    await approve(page, 'looks right to me')
    const dialog = page.getByRole('dialog', { name: 'Log in again with Example' })
    const go = dialog.getByRole('button', { name: 'Log in with Example' })
    const tab = await otherTab(context, () => go.click())
    await dialog.getByText('this page continues by itself').waitFor()
    expect(await stateOf(run)).toBe('preparing')
    // The session at the provider does not do: it asks again.
    await signIn(tab, 'ann')
    await tab.getByText('You are confirmed.').waitFor()
    await page.getByText('Nothing waits for you.').waitFor()
    await untilDialogIsGone(page)
    await eventually(() => stateOf(run)).toBe('releasing')
    await page.locator('.verdicts li').getByText('looks right to me').first().waitFor()
    const second = await parkedRun()
    await approve(page, 'and this')
    await eventually(() => stateOf(second)).toBe('releasing')
    const history = await world.person('GET', `/api/runs/${second}/entries`)
    expect(JSON.stringify(history)).toContain(`Ann Lee <ann at ${provider.issuer}>`)
    expect(complaints).toEqual([])
  })

  test('PE-14: are not confirmed as somebody else, and may give up', bound, async () => {
    const { page, context } = await visitor('ann')
    const run = await parkedRun()
    await approve(page, 'typed')
    const dialog = page.getByRole('dialog', { name: 'Log in again with Example' })
    const go = dialog.getByRole('button', { name: 'Log in with Example' })
    const tab = await otherTab(context, () => go.click())
    await signIn(tab, 'sam')
    await tab.getByText('You logged in as a different person').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('step_up_required').first().waitFor()
    await eventually(() => page.getByLabel('Note').inputValue()).toBe('typed')
    expect(await stateOf(run)).toBe('preparing')
    await world.person('POST', `/api/runs/${run}/stop`, {})
  })

  test('PE-13: without the verb hear so, and are asked for nothing', bound, async () => {
    const run = await parkedRun()
    for (const login of ['sam', 'gus']) {
      const { page, context } = await visitor(login)
      await approve(page, 'x')
      await page.getByText('not_permitted').first().waitFor()
      expect(await page.getByRole('dialog', { name: /Log in again/ }).count()).toBe(0)
      await context.close()
    }
    expect(await stateOf(run)).toBe('preparing')
    await world.person('POST', `/api/runs/${run}/stop`, {})
  })

  test('PE-12: who is led to the provider by others is not logged in here', bound, async () => {
    // An agent begins, and opens the address in the browser of a person.
    const { peopleUrl } = world.running.serving
    const begun = await fetch(`${peopleUrl}/oidc/login`, { method: 'POST' })
    const address = /<a href="([^"]+)"/.exec(await begun.text())?.[1] ?? ''
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(address.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code)))
    await signIn(page, 'ann')
    await page.getByText('This login was not started in this browser').waitFor()
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const replayed = await fetch(page.url(), { headers: { cookie } })
    expect([replayed.status, replayed.headers.getSetCookie()]).toEqual([403, []])
  })
})
