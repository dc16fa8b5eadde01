import { describe, expect, test } from 'vitest'
import { axeFindings } from '../../packages/server/testing/dashboard/axe.ts'
import {
  sidewaysPixels,
  untilDialogHasFocus,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { talkedSession, tellMore } from '../../packages/server/testing/dashboard/more.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

// Fifteen pages one after the other, each searched whole.
const bound = { timeout: 600_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)
await tellMore(world)
const session = await talkedSession(world)

describe('in both themes', () => {
  test('no page has a finding, wide or on a phone', bound, async () => {
    const { page } = await visit()
    const paths = [
      '/',
      '/runs',
      `/runs/${story.interrupted}`,
      `/runs/${story.interrupted}?at=4`,
      '/workflows',
      '/workflows/bugfix',
      '/workflows/bugfix/edit',
      '/templates?kind=workflow',
      '/processes',
      '/sessions',
      `/sessions/${session}`,
      '/policies',
      '/activity',
      `/memory?project=${encodeURIComponent('/home/ann/shop')}`,
      '/settings',
      '/playground',
      '/open',
      '/compare',
      `/compare?left=${story.done}&right=${story.interrupted}`,
      '/docs',
      '/docs?q=evidence',
      '/docs/security',
      '/docs/dashboard',
      '/docs/reference/workflow',
      '/docs/nope',
    ]
    const found: string[] = []
    for (const path of paths) {
      await page.goto(world.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path.endsWith('/edit')) await page.locator('.editor-graph .state').first().waitFor()
      if (path.startsWith('/sessions/')) await page.locator('.tool.is-denied').first().waitFor()
      if (path === '/activity') await page.locator('.chart').first().waitFor()
      if (path === '/policies') await page.locator('.policy').first().waitFor()
      if (path.includes('left=')) await page.getByText('They differ from fixing on.').waitFor()
      if (path.startsWith('/runs/')) await page.locator('.state.is-current').first().waitFor()
      found.push(...(await axeFindings(page)).map((finding) => `${path} ${finding}`))
      await page.setViewportSize({ width: 390, height: 844 })
      found.push(...(await axeFindings(page)).map((finding) => `${path} narrow ${finding}`))
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    expect(found).toEqual([])
  })

  test('nor has the tour', bound, async () => {
    const { page } = await visit()
    const { run_id: run } = await world.person('POST', '/api/demo', {})
    const kept = JSON.stringify(JSON.stringify({ runId: run, chapter: 0 }))
    await page.evaluate(`sessionStorage.setItem('statewright-tour', ${kept})`)
    await page.goto(`${world.url}/runs/${run}`)
    await page.getByRole('region', { name: 'Tour' }).getByRole('heading').waitFor()
    await page.locator('.state.is-current').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await axeFindings(page)).toEqual([])
  })

  test('what only the dark one hides would be found', bound, async () => {
    const { page } = await visit({ at: '/runs' })
    const dim = "document.querySelector('h1').style.color = 'light-dark(black, #333)'"
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(dim)
    const found = await axeFindings(page)
    expect(found).toEqual([expect.stringMatching(/^in the dark, color-contrast: <h1/)])
  })

  test('nor has a dialog or the palette, on a phone as well', bound, async () => {
    const { page } = await visit({
      width: 390,
      height: 844,
    })
    await page.getByText('If you approve').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('a')
    await page.getByRole('dialog').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await untilDialogHasFocus(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('runs')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
  })

  test('on a phone every page is in reach of the thumb, and docs begin with words', async () => {
    const { page } = await visit({ width: 390, height: 844 })
    const bar = page.getByRole('navigation', { name: 'Pages' })
    const settings = bar.getByRole('link', { name: 'Settings' })
    expect(await bar.getByRole('link').count()).toBe(4)
    for (const link of await bar.getByRole('link').all()) {
      const box = await link.boundingBox()
      expect(box !== null && box.x >= 0 && box.x + box.width <= 390).toBe(true)
    }
    await bar.getByRole('button', { name: 'More' }).click()
    expect(await axeFindings(page)).toEqual([])
    await settings.click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await settings.waitFor({ state: 'hidden' })
    expect(await sidewaysPixels(page)).toEqual([0, 0])
    await page.goto(`${world.url}/docs/security`)
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.y).toBeLessThan(200)
    expect(await sidewaysPixels(page)).toEqual([0, 0])
    await page.getByText('All pages').click()
    await page.getByRole('link', { name: 'Forks' }).click()
    await page.getByRole('heading', { level: 1, name: 'Forks' }).waitFor()
  })
})
