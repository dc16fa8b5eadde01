import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  eventually,
  sidewaysPixels,
  untilDialogHasFocus,
  untilDialogIsGone,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const { world, visit } = await openDashboard()

/** A folder for pictures of each step, for whoever wants to look at the day. */
const pictures = process.env.STATEWRIGHT_TEST_PICTURES

const pin = '482913'
const approvals = 20

interface Screen {
  readonly name: string
  readonly theme: 'light' | 'dark'
  readonly width: number
  readonly height: number
}

const screens: readonly Screen[] = [
  { name: 'wide', theme: 'light', width: 1440, height: 900 },
  { name: 'phone', theme: 'dark', width: 390, height: 844 },
  // The other two are for the eye alone.
  ...(pictures === undefined ? [] : otherScreens()),
]

function otherScreens(): Screen[] {
  return [
    { name: 'wide', theme: 'dark', width: 1441, height: 900 },
    { name: 'phone', theme: 'light', width: 391, height: 844 },
  ]
}

async function picture(page: Page, { name, theme }: Screen, step: string): Promise<void> {
  if (pictures === undefined) return
  await page.screenshot({ path: join(pictures, `${name}-${theme}-${step}.png`) })
}

/** By the links of the page: loading another one would lose the proof, which is in its memory. */
async function goTo(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title }).first().click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

async function givePin(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Your PIN' }).waitFor()
  await page.locator('input[type=password]').fill(pin)
  await page.keyboard.press('Enter')
}

test.each(screens)(
  'PE-3: a day with one login and one PIN, $name and $theme',
  { timeout: 180_000 },
  async (screen) => {
    const link =
      world.url + world.running.serving.auth.links.create(`${screen.name}-${screen.theme}`)
    const { page, complaints } = await visit({ login: link, ...screen, pin })
    let proofs = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/proof')) proofs += 1
    })
    await page.getByText('Nothing waits for you.').waitFor()
    await picture(page, screen, '1-logged-in')

    await goTo(page, 'Workflows')
    await picture(page, screen, '2-workflows')
    await page.getByRole('link', { name: 'deploy', exact: true }).first().click()
    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.locator('.editor-graph [data-ready=true] .state').first().waitFor()
    await picture(page, screen, '3-editor')
    await page.locator('.state').first().click()
    await page.getByLabel('Tool calls at most').fill(String(screen.width))
    await page.keyboard.press('Enter')
    await picture(page, screen, '4-edited')
    await page.getByRole('button', { name: /^Save as version/ }).click()
    await page.getByRole('heading', { name: 'Your PIN' }).waitFor()
    await picture(page, screen, '5-pin')
    await givePin(page)
    await untilDialogIsGone(page)
    await picture(page, screen, '6-in-force')

    const runs: string[] = []
    for (let made = 0; made < approvals; made++) {
      const run = await world.run('deploy')
      await world.move(run, 'READY', { version: `2.5.${made}` })
      runs.push(run)
    }
    await goTo(page, 'Approvals')
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    await picture(page, screen, '7-inbox')
    for (let left = approvals; left > 0; left--) {
      await eventually(() => page.title()).toBe(`(${left}) Approvals · Statewright`)
      await page.getByRole('button', { name: 'Approve' }).first().click()
      await untilDialogHasFocus(page)
      if (left > approvals - 3) await picture(page, screen, `8-approve-${left}`)
      const answered = page.waitForResponse(/\/approve$/)
      await page.keyboard.press('Enter')
      expect((await answered).status()).toBe(200)
      await untilDialogIsGone(page)
    }
    await page.getByText('Nothing waits for you.').waitFor()
    await picture(page, screen, '9-done')
    for (const run of runs) {
      expect((await world.person('GET', `/api/runs/${run}`)).state).toBe('releasing')
    }
    expect(proofs).toBe(1)
    expect(await sidewaysPixels(page)).toEqual([0, 0])
    expect(complaints).toEqual([])
  },
)
