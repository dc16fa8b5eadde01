import { describe, expect, test } from 'vitest'
import { eventually, sidewaysPixels } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { type Story, tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
let story: Story

describe('activity', () => {
  test('an empty page teaches, and plays the demo to what to look at next', bound, async () => {
    const { page, complaints } = await visit({ at: '/activity' })
    await page.getByText('Nothing happened in this period').waitFor()
    await page.getByRole('button', { name: 'Play the demo' }).click()
    // It leads to the run at once, and says what to look at while it plays.
    await page.waitForURL(/\/runs\/run_/)
    await page.getByRole('region', { name: 'Tour' }).getByText('The rules, as a picture').waitFor()
    await page.getByRole('heading', { name: /demo/i, level: 1 }).waitFor()
    // It has played to its end once it waits for a person.
    await page.locator('.nav-count').waitFor({ timeout: 45_000 })
    expect(complaints).toEqual([])
  })

  test('says where agents get stuck, by state, rule, tool and code', bound, async () => {
    story = await tellStory(world)
    const { page, complaints } = await visit({ at: '/activity' })
    await page.getByText(/of calls were denied\. Most of these are in the state planning/).waitFor()
    const states = page.getByRole('list', { name: 'Denials by state' })
    const planning = states.getByRole('listitem').filter({ hasText: /planning in bugfix/ })
    const number = async () => Number(await planning.locator('.number').innerText())
    await eventually(number).toBeGreaterThanOrEqual(4)
    await page
      .getByRole('list', { name: 'Denials by rule' })
      .getByText('states.planning.allowed_tools')
      .first()
      .waitFor()
    await page
      .getByRole('list', { name: 'Denials by code' })
      .getByText('tool_not_allowed')
      .first()
      .waitFor()
    // Each chart has the numbers behind it.
    const calls = page.getByRole('figure', { name: /Calls, by what was decided/ })
    await calls.getByText('As a table').click()
    const shown = async () => {
      const cells = await calls.getByRole('row').last().getByRole('cell').allInnerTexts()
      return cells.slice(1).map(Number)
    }
    const { slots } = await world.person('GET', '/api/activity')
    const { denied, asked, allowed } = slots.at(-1)
    await eventually(shown).toEqual([denied, asked, allowed])
    expect(slots.some((slot: { denied: number }) => slot.denied > 3)).toBe(true)
    await page.getByRole('button', { name: '7 days' }).click()
    await page.waitForURL(/span=week/)
    await calls.getByRole('row').nth(8).waitFor()
    await page
      .getByRole('list', { name: 'Denials by tool or event' })
      .getByText('Bash')
      .first()
      .click()
    await page.waitForURL(/\/runs\/run_/)
    expect(story.stuck).toMatch(/^run_/)
    expect(complaints).toEqual([])
  })

  test('shows how long people take to answer', bound, async () => {
    const { approvals } = await world.person('GET', '/api/approvals?status=waiting')
    const [approval] = approvals
    await world.person('POST', `/api/approvals/${approval.approval_id}/reject`, { reason: 'no' })
    const { page } = await visit({ at: '/activity' })
    const chart = page.getByRole('figure', { name: /Time until a person answered/ })
    await chart.locator('circle').first().waitFor()
    const tile = page.locator('.tile', { hasText: 'Median response' })
    await eventually(() => tile.innerText()).toMatch(/\d (ms|s|min)/)
  })

  test('words of an agent run nowhere and break no layout', bound, async () => {
    const run = await world.run('bugfix')
    const script = '<img src=x onerror="window.hacked=1">'
    for (const tool of [`${script}\u202e`, `Tool${'x'.repeat(180)}`]) {
      for (let time = 0; time < 4; time++) await world.check(run, tool, { a: script })
    }
    for (const width of [1440, 390]) {
      const { page, complaints } = await visit({ width, at: '/activity' })
      await page.getByText('<img src=x').first().waitFor()
      const wide = await sidewaysPixels(page)
      expect([width, wide]).toEqual([width, [0, 0]])
      expect(await page.evaluate('window.hacked')).toBe(undefined)
      expect(await page.locator('main').innerText()).not.toContain('\u202e')
      expect(complaints).toEqual([])
    }
  })
})
