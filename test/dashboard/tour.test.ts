import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, lightFindings } from '../../packages/server/testing/dashboard/axe.ts'
import {
  eventually,
  sidewaysPixels,
  untilDialogHasFocus,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { DashboardWorld } from '../../packages/server/testing/dashboard/world.ts'

const bound = { timeout: 120_000 }
const { visit } = await openDashboard()
// Nobody has been here before.
const fresh = new DashboardWorld()

beforeAll(async () => {
  await fresh.start(0)
  return () => fresh.close()
})

const tourOf = (page: Page) => page.getByRole('region', { name: 'Tour' })

/** What the ring of the tour is around. */
async function pointedAt(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('main section')]
    .filter((one) => getComputedStyle(one).outlineStyle === 'solid')
    .map((one) => one.getAttribute('aria-label'))`)
}

describe('somebody who is here for the first time', () => {
  test('is led by keyboard through the demo to a project of their own', bound, async () => {
    const { page, context, complaints } = await visit({ login: fresh.login() })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('Agents ask here before they act').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Play the demo' }).press('Enter')
    await page.waitForURL(/\/runs\/run_/)
    const tour = tourOf(page)
    await tour.getByText('The rules, as a picture').waitFor()
    await eventually(() => pointedAt(page)).toEqual(['States'])
    const stops = [
      ['A call that was denied', 'Selected entry'],
      ['A detour that nobody has to remember', 'States'],
      ['Two branches at once', 'States'],
      ['A claim is not evidence', 'Selected entry'],
      ['Now it is your turn', 'Waiting for you'],
    ]
    for (const [title = '', region] of stops) {
      // It has the focus and keeps it; the moment comes when the demo has played so far.
      await page.keyboard.press('Enter')
      await tour.getByRole('heading', { name: title }).waitFor()
      await eventually(() => pointedAt(page)).toEqual([region])
      if (region === 'Selected entry') {
        await page.waitForURL(/\?at=\d+$/)
        expect(await axeFindings(page)).toEqual([])
      }
    }
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    await untilDialogHasFocus(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter')
    await tour.getByRole('heading', { name: 'Guard my own project' }).waitFor()
    await tour.getByText('You approved it').waitFor()
    await eventually(() => pointedAt(page)).toEqual([])
    await tour.getByRole('button', { name: 'Copy statewright init' }).press('Enter')
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe('statewright init')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await sidewaysPixels(page)).toEqual([0, 0])
    expect(await lightFindings(page)).toEqual([])
    await tour.getByRole('button', { name: 'Done' }).press('Enter')
    await tour.waitFor({ state: 'detached' })
    // From a denial to its reason, without a guide.
    await page.getByRole('link', { name: /^\d+ denials$/ }).click()
    await page.waitForURL(/\?at=\d+$/)
    await page.getByText('rule:').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('meets no dead end when the demo cannot begin or stops half-way', bound, async () => {
    const { page } = await visit({ login: fresh.login() })
    const answer = { status: 500, json: { code: 'internal', message: 'It broke.' } }
    await page.route('**/api/demo', (route) => route.fulfill(answer))
    const play = page.getByRole('button', { name: 'Play the demo' })
    await play.click()
    await page.getByText('It broke.').waitFor()
    await page.unroute('**/api/demo')
    await play.click()
    await page.waitForURL(/\/runs\/run_/)
    const run = new URL(page.url()).pathname.split('/').at(-1)
    await fresh.person('POST', `/api/runs/${run}/stop`, {})
    const tour = tourOf(page)
    // A page that is loaded again is where it was.
    await tour.getByRole('button', { name: /^(Next|Go on without waiting)$/ }).click()
    await page.reload()
    await tour.getByText('2 of 6').waitFor()
    for (let stop = 3; stop <= 6; stop++) {
      await tour.getByRole('button', { name: /^(Next|Go on without waiting)$/ }).click()
      await tour.getByText(`${stop} of 6`).waitFor()
    }
    await tour.getByText('The demo stopped before this step.').waitFor()
    await tour.getByRole('button', { name: 'Play the demo' }).waitFor()
    await tour.getByRole('button', { name: 'Go on without deciding' }).click()
    await tour.getByRole('heading', { name: 'Guard my own project' }).waitFor()
    await tour.getByRole('button', { name: 'Back', exact: true }).click()
    await tour.getByRole('button', { name: 'Skip the tour' }).click()
    await tour.waitFor({ state: 'detached' })
  })
})
