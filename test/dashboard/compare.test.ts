import { describe, expect, test } from 'vitest'
import { axeFindings, lightFindings } from '../../packages/server/testing/dashboard/axe.ts'
import { sidewaysPixels } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)

describe('two runs side by side', () => {
  test('WF-33b: from a run or the list to where they part, by address', bound, async () => {
    const { page, complaints } = await visit({ at: `/runs/${story.done}` })
    await page.getByRole('link', { name: 'Compare' }).click()
    // Runs of the same workflow are offered.
    const offered = page.getByRole('list', { name: 'Runs to choose from' })
    await offered.getByRole('button').first().waitFor()
    expect(await offered.getByRole('button', { name: /deploy/ }).count()).toBe(0)
    await page.getByLabel('Search runs').fill('orders-index')
    await offered.getByRole('button', { name: /migrating/ }).click()
    await page.waitForURL(`**/compare?left=${story.done}&right=${story.interrupted}`)
    const verdict = page.getByRole('region', { name: 'Where they differ' })
    await verdict.getByText('They differ from fixing on.').waitFor()
    await verdict.getByText('FIXED → testing').waitFor()
    await verdict.getByText('interrupt migration → migrating').waitFor()
    const rows = page.getByRole('region', { name: 'States of both' })
    const parting = rows.getByRole('listitem').filter({ hasText: 'they differ from here' })
    expect(await parting.count()).toBe(1)
    // What differs before it is told as well: a call, a decision and the data.
    const first = rows.getByRole('listitem').first()
    await first.getByText('Edit denied: tool_not_allowed').waitFor()
    await first.getByText('The index on orders is missing.').waitFor()
    await first.getByText('only on the right: ').first().waitFor({ state: 'attached' })
    await verdict.getByRole('button', { name: 'Show where they differ' }).click()
    await page.waitForURL(/row=1/)
    for (const side of ['left', 'right']) {
      const picture = page.getByRole('region', { name: `Run on the ${side}` })
      await picture.locator('.state.is-current').getByText('fixing').waitFor()
    }
    expect(await axeFindings(page)).toEqual([])
    const address = page.url()
    const other = await visit({ width: 390, height: 844, theme: 'dark' })
    await other.page.goto(address)
    await other.page.locator('.compare-row.is-chosen').getByText('they differ from here').waitFor()
    expect(await sidewaysPixels(other.page)).toEqual([0, 0])
    expect(await lightFindings(other.page)).toEqual([])
    await page.goto(`${world.url}/runs`)
    await page.getByRole('link', { name: 'Compare two runs' }).click()
    await page.getByRole('heading', { name: 'Choose the first run' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect([...complaints, ...other.complaints]).toEqual([])
  })
})
