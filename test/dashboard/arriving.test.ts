import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually, watch } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const key = 'statewright.requested-page'
const bound = { timeout: 120_000 }
const { world, browser } = await openDashboard()
const run = await world.run('bugfix')
const requested = `/runs/${run}?at=1`

/** Somebody whom the server does not know yet. */
async function stranger(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(45_000)
  return context.newPage()
}

function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

async function logIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
}

describe('who must log in first', () => {
  test('PE-12a: goes on to the page that they wanted, in both tabs', bound, async () => {
    const page = await stranger()
    const complaints = watch(page)
    await page.goto(world.url + requested)
    await page.getByText('You are not logged in').waitFor()
    const other = await page.context().newPage()
    await other.goto(world.login())
    await logIn(other)
    await eventually(() => pathOf(other)).toBe(requested)
    await other.getByRole('heading', { level: 1, name: 'bugfix' }).waitFor()
    // Back in the first tab, it goes on by itself.
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await page.getByRole('heading', { level: 1, name: 'bugfix' }).waitFor()
    expect(pathOf(page)).toBe(requested)
    // Once: another visit to the first page stays there.
    await other.goto(world.url)
    await other.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
    expect(pathOf(other)).toBe('/')
    expect(complaints).toEqual([])
  })

  test('PE-12a: may paste the link', bound, async () => {
    const page = await stranger()
    await page.goto(world.url + requested)
    const field = page.getByLabel('Login link')
    await field.fill('https://evil.example/')
    await page.getByText('This is not a login link.').waitFor()
    expect(await page.getByRole('button', { name: 'Log in' }).isDisabled()).toBe(true)
    // Whatever host it names, it is asked for here.
    await field.fill(world.login().replace(/^https?:\/\/[^/]+/, 'https://evil.example'))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world.url}/login/*`)
    await logIn(page)
    await eventually(() => pathOf(page)).toBe(requested)
  })

  test('PE-12a: is never led to another address', bound, async () => {
    const elsewhere = [
      '//evil.example/x',
      '/\\evil.example',
      '/.//evil.example',
      'javascript:document.title=1',
      'https://evil.example/',
    ]
    const page = await stranger()
    const left: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(world.url)) left.push(request.url())
    })
    await page.goto(world.url)
    await page.getByText('You are not logged in').waitFor()
    for (const path of elsewhere) {
      const kept = JSON.stringify({ path, at: Date.now() })
      await page.goto(world.login())
      await page.evaluate(`localStorage.setItem('${key}', ${JSON.stringify(kept)})`)
      await logIn(page)
      await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
      expect(pathOf(page)).toBe('/')
      await eventually(() => page.evaluate(`localStorage.getItem('${key}')`)).toBe(null)
    }
    // An address that looks like another host is none of ours either.
    await page.context().clearCookies()
    await page.goto(`${world.url}//evil.example/x`)
    await page.goto(world.login())
    await logIn(page)
    expect(pathOf(page)).toBe('/')
    expect(left).toEqual([])
  })
})
