import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, visit } from '../../packages/server/testing/dashboard/browser.ts'
import { DashboardWorld } from '../../packages/server/testing/dashboard/world.ts'

const bound = { timeout: 60_000 }
let world: DashboardWorld
let browser: Browser

beforeAll(async () => {
  world = await DashboardWorld.open()
  browser = await launchBrowser()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await world?.close()
})

test('the welcome leads to the rules before it leads to a client', bound, async () => {
  const { page, context } = await visit(browser, world.login())
  const steps = page.locator('.welcome li')
  await steps.filter({ hasText: 'Put your coding client under them' }).waitFor()
  const texts = await steps.allInnerTexts()
  const at = (words: string) => texts.findIndex((text) => text.includes(words))
  expect(at('statewright init')).toBeGreaterThan(-1)
  expect(at('statewright init')).toBeLessThan(at('statewright install'))
  await context.close()
})

test(
  'WF-27: a run that its agent paused is called unguarded wherever it is shown',
  bound,
  async () => {
    const run = await world.run('bugfix')
    await world.agent('POST', `/api/runs/${run}/pause`, {})
    const { page, context } = await visit(browser, world.login())
    await page.getByText('1 unguarded run').waitFor()
    await page.goto(`${world.url}/runs`)
    const line = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    await line.getByText('unguarded').waitFor()
    await page.goto(`${world.url}/runs/${run}`)
    await page.getByRole('main').getByText('unguarded').first().waitFor()
    await world.agent('POST', `/api/runs/${run}/resume`, {})
    await page.getByText('1 unguarded run').waitFor({ state: 'detached' })
    await context.close()
  },
)
