import { describe, expect, test } from 'vitest'
import { eventually } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { talkedSession } from '../../packages/server/testing/dashboard/more.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)

describe('a definition at work', () => {
  test('WF-33d: shows where its runs stand and what was denied there, live', bound, async () => {
    const { page, complaints } = await visit({ at: '/workflows/bugfix' })
    const now = page.getByRole('region', { name: 'At work' })
    await now.locator('.diagram[data-ready=true]').waitFor()
    const state = (name: string) => now.locator('.state', { hasText: name })
    await state('planning').getByText('1 run', { exact: true }).waitFor()
    await state('planning')
      .getByText(/^[1-9]\d* denied$/)
      .waitFor()
    await state('migrating').getByText('1 run', { exact: true }).waitFor()
    const fresh = await world.run('bugfix')
    await state('planning').getByText('2 runs', { exact: true }).waitFor()
    await world.move(fresh, 'FOUND', { cause: 'A typo.' })
    await state('planning').getByText('1 run', { exact: true }).waitFor()
    // A state lists its runs, and each leads on.
    await state('migrating').click()
    const listed = now.getByRole('list', { name: 'Live runs in migrating' }).getByRole('link')
    await eventually(() => listed.count()).toBe(1)
    await listed.first().click()
    await page.waitForURL(`${world.url}/runs/${story.interrupted}`)
    expect(complaints).toEqual([])
  })

  test(
    'WF-33d: the list of workflows counts live runs, a fork in both of its lanes once',
    bound,
    async () => {
      const { page, complaints } = await visit({ at: '/workflows' })
      const review = page.getByRole('row', { name: /review/ })
      await review.getByRole('link', { name: '1', exact: true }).click()
      await page.waitForURL(/workflow=review/)
      await page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first().waitFor()
      await page.goto(`${world.url}/workflows/review`)
      const lanes = page.getByRole('region', { name: 'At work' }).locator('.state.is-standing')
      await eventually(() => lanes.count()).toBe(2)
      expect(complaints).toEqual([])
    },
  )
})

test('a session shows the machine that judges it, and whole lines of tools', bound, async () => {
  const session = await talkedSession(world)
  const { page, complaints } = await visit()
  // Styles of a page stay when another is opened; those of pictures once broke the lines of tools.
  await page.goto(`${world.url}/runs/${story.done}`)
  await page.locator('.diagram[data-ready=true]').waitFor()
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await page
    .getByRole('list', { name: 'Sessions' })
    .getByRole('link', { name: /bugfix/ })
    .click()
  await page.waitForURL(`${world.url}/sessions/${session}`)
  const machine = page.getByRole('complementary', { name: 'Workflow of the session' })
  await machine.locator('.state.is-current').getByText('planning').waitFor()
  await machine.getByText('FOUND, GIVE_UP').waitFor()
  const line = page.locator('.tool', { hasText: 'edit_file' })
  await eventually(async () => (await line.boundingBox())?.width ?? 0).toBeGreaterThan(300)
  await page.setViewportSize({ width: 900, height: 800 })
  await machine.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})
