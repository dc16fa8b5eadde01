import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  eventually,
  holdAnswers,
  untilDialogHasFocus,
  untilDialogIsGone,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

async function parkedRun(): Promise<string> {
  const run = await world.run('deploy')
  await world.move(run, 'READY', { version: '2.5.0' })
  return run
}

async function stateOf(run: string): Promise<string> {
  return (await world.person('GET', `/api/runs/${run}`)).state
}

describe('the inbox', () => {
  test('a move is approved by keyboard, after a look at what it does', bound, async () => {
    const { page, complaints } = await visit()
    await page.getByText('Nothing waits for you.').waitFor()
    const run = await parkedRun()
    await page.getByText('The run moves from preparing to releasing by READY').waitFor()
    await eventually(() => page.title()).toBe('(1) Approvals · Statewright')
    const fields = page.getByRole('region', { name: 'Fields that are written' })
    await fields.getByText('2.5.0').waitFor()
    await page.getByText('has_version').first().waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByText('Approve: preparing → releasing').waitFor()
    expect(await stateOf(run)).toBe('preparing')
    await untilDialogHasFocus(page)
    await page.keyboard.press('Enter')
    await page.getByText('Nothing waits for you.').waitFor()
    expect(await stateOf(run)).toBe('releasing')
    await page.getByRole('heading', { name: 'Recent decisions' }).waitFor()
    const line = page.locator('.verdicts li', { hasText: 'approved' })
    await line.getByText('preparing → releasing').waitFor()
    expect(complaints).toEqual([])
  })

  test('what is not known yet is not said to be nothing', bound, async () => {
    const { page } = await visit()
    const letThrough = await holdAnswers(page, /\/api\/approvals\?/)
    await page.reload()
    await page.getByText('Reading…').waitFor()
    expect(await page.getByText(/Nothing waits/).count()).toBe(0)
    letThrough()
    await page.getByText('Nothing waits for you.').waitFor()
    await page.route(/\/api\/approvals\?/, (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.reload()
    await page.getByText('What waits for you is not known.').waitFor()
  })

  test('what is opened while the list is on its way appears', bound, async () => {
    const { page } = await visit()
    const letThrough = await holdAnswers(page, /\/api\/approvals\?/)
    const request = page.waitForRequest(/\/api\/approvals\?.*waiting/)
    await page.reload()
    await request
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor()
    // What is asked again says that the page has heard of the new approval.
    const heard = page.waitForResponse(/\/api\/usage/)
    const run = await parkedRun()
    await heard
    letThrough()
    await page.getByText('The run moves from preparing to releasing by READY').waitFor()
    await world.person('POST', `/api/runs/${run}/stop`, {})
    await page.getByText('Nothing waits for you.').waitFor()
  })

  test('a rejection needs a reason, and Escape leaves everything as it is', bound, async () => {
    const run = await parkedRun()
    const { page } = await visit()
    await page.getByText('The run moves from preparing').waitFor()
    await page.keyboard.press('a')
    await untilDialogHasFocus(page)
    await page.keyboard.press('Escape')
    await untilDialogIsGone(page)
    expect(await stateOf(run)).toBe('preparing')
    await page.keyboard.press('r')
    const reject = page.getByRole('dialog').getByRole('button', { name: 'Reject' })
    await eventually(() => reject.isDisabled()).toBe(true)
    await untilDialogHasFocus(page)
    // The letters of the reason do nothing else: "a" and "r" are keys of the page.
    await page.keyboard.type('a wrong version, r')
    await reject.click()
    await page.getByText('Nothing waits for you.').waitFor()
    // The notice says what was done to what.
    const notice = page.locator('.toast', { hasText: 'Rejected' })
    await notice.getByText('preparing → releasing').waitFor()
    const { approvals } = await world.person('GET', '/api/approvals?status=rejected')
    expect([approvals[0].run_id, approvals[0].note]).toEqual([run, 'a wrong version, r'])
  })

  test('PO-7: a call is let through once, or always for the run', bound, async () => {
    const run = await world.run('deploy')
    const ask = (command: string) => world.check(run, 'Bash', { command })
    await ask('npm pack')
    const { page } = await visit()
    await page.getByText('npm pack').first().waitFor()
    await page.keyboard.press('l')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Everything that this rule asks about').check()
    await dialog.getByText('Every call that the same rule asks about').waitFor()
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Nothing waits for you.').waitFor()
    expect((await ask('npm pack')).decision).toBe('allow')
    expect((await ask('npm audit')).decision).toBe('allow')
  })

  test('what was decided by nobody that is known stands in the list', bound, async () => {
    await world.person('POST', `/api/runs/${await parkedRun()}/stop`, {})
    const { page, complaints } = await visit()
    // As older servers have stored it, and as the wire allows.
    await page.route(/\/api\/approvals(?:\?|$)/, async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(
        /"resolved_by":"[^"]*"/g,
        '"resolved_by":null',
      )
      await route.fulfill({ response, body: text })
    })
    await page.reload()
    const line = page.locator('.verdicts li', { hasText: 'withdrawn' }).first()
    await line.locator('.verdict-who').waitFor()
    await eventually(() => line.locator('.verdict-who').innerText()).toMatch(/^now|^\d/)
    // What is being answered when the page is closed would fail after the test.
    await page.unrouteAll({ behavior: 'wait' })
    expect(complaints).toEqual([])
  })

  test('two browsers see what each other decides', bound, async () => {
    await parkedRun()
    const one = await visit()
    const other = await visit({ width: 390, height: 844 })
    for (const { page } of [one, other]) {
      await page.getByText('The run moves from preparing').waitFor()
    }
    await other.page.getByRole('button', { name: 'Approve' }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await one.page.getByText('Nothing waits for you.').waitFor()
    await eventually(() => one.page.title()).toBe('Approvals · Statewright')
  })
})

describe('the PIN of a person', () => {
  async function approve(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Approve: preparing → releasing' }).waitFor()
    await untilDialogHasFocus(page)
    await page.keyboard.press('Enter')
  }

  test(
    'PE-3: is asked for at the first approval, and not for those that follow',
    bound,
    async () => {
      const { page } = await visit({ login: world.personLogin(), pin: '482913' })
      const first = await parkedRun()
      await approve(page)
      await page.getByRole('heading', { name: 'Your PIN' }).waitFor()
      for (const pin of ['000000', '482913']) {
        await page.locator('input[type=password]').fill(pin)
        await page.keyboard.press('Enter')
        if (pin === '000000') await page.getByText('pin_wrong').waitFor()
      }
      await page.getByText('Nothing waits for you.').waitFor()
      await untilDialogIsGone(page)
      expect(await stateOf(first)).toBe('releasing')
      const second = await parkedRun()
      await approve(page)
      await page.getByText('Nothing waits for you.').waitFor()
      expect(await stateOf(second)).toBe('releasing')
      // The proof was in the memory of the page alone.
      await page.reload()
      await parkedRun()
      await approve(page)
      await page.getByRole('heading', { name: 'Your PIN' }).waitFor()
    },
  )

  test('PE-4: who has none is told where it is chosen, and loses nothing', bound, async () => {
    const link = world.running.serving.auth.links.create('bob')
    const { page } = await visit({ login: world.url + link })
    await approve(page)
    await page.getByRole('heading', { name: 'You have no passkey or PIN yet' }).waitFor()
    await page.getByText('statewright login --new-link').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText('step_up_required').waitFor()
  })
})
