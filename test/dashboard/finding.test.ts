import { describe, expect, test } from 'vitest'
import { eventually, untilDialogIsGone } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const { forked } = await tellStory(world)
const wanted = await world.run('deploy')
await world.check(wanted, 'Bash', { command: 'npm run "seldom used" -- src/ledger/rare.ts' })

describe('finding runs', () => {
  test('WF-33a: by words of a command, in an address that can be shared', bound, async () => {
    const { page, complaints } = await visit({ at: '/runs' })
    const lines = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    await eventually(() => lines.count()).toBeGreaterThan(2)
    await page.keyboard.press('/')
    await page.keyboard.type('LEDGER/rare seldom')
    await page.waitForURL(/search=LEDGER/)
    await eventually(() => lines.count()).toBe(1)
    expect(await lines.locator(`a[href="/runs/${wanted}"]`).count()).toBe(1)
    // What happens elsewhere does not come into a list that is narrowed by words.
    await world.run('bugfix')
    await page.getByLabel('Changed').selectOption('1h')
    await page.waitForURL(/span=1h/)
    await eventually(() => lines.count()).toBe(1)
    const other = await visit({ width: 390, height: 844 })
    await other.page.goto(page.url())
    await eventually(() => other.page.getByLabel('Search runs').inputValue()).toBe(
      'LEDGER/rare seldom',
    )
    await other.page.locator(`a[href="/runs/${wanted}"]`).waitFor()
    await page.getByLabel('Search runs').fill('nothing-has-this')
    await page.getByText('No run passes these filters').waitFor()
    expect(complaints).toEqual([])
  })

  test('WF-33c: a forked run stands in all its branches, and moves with each', bound, async () => {
    const { page } = await visit({ at: '/runs?search=checking_style' })
    const lanes = page.locator(`a[href="/runs/${forked}"] .run-lanes bdi`)
    await eventually(() => lanes.allInnerTexts()).toEqual(['checking_security', 'checking_style'])
    await world.move(forked, 'CHECKED', {}, 'security')
    await eventually(() => lanes.allInnerTexts()).toEqual(['security_done', 'checking_style'])
    await world.move(forked, 'CHECKED', {}, 'style')
    await page.locator(`a[href="/runs/${forked}"]`).getByText('summing_up').waitFor()
    expect(await lanes.count()).toBe(0)
  })

  test('WF-33a: from the palette, which knows workflows, docs and actions', bound, async () => {
    const { page } = await visit()
    const look = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(words)
    }
    await look('ledger/rare')
    await page.getByRole('option', { name: /deploy · preparing/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(wanted))
    await look('bugfix')
    await page
      .getByRole('option', { name: /^bugfix/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/workflows\/bugfix$/)
    await look('new workflow')
    await page.getByRole('option', { name: /New workflow/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/templates/)
    for (const [words, name] of [
      ['tdd', 'tdd-feature Template of a workflow'],
      ['observe', /^Observe or enforce/],
      ['log out', /^Log out/],
      ['demo', /^Play the demo/],
    ] as const) {
      await look(words)
      await page.getByRole('option', { name }).waitFor()
      await page.keyboard.press('Escape')
      await untilDialogIsGone(page)
    }
    await look('ledger')
    await page.getByRole('option', { name: /All runs with/ }).click()
    await page.waitForURL(/\/runs\?search=ledger/)
    await look('approval timeout')
    await page.getByRole('option', { name: /Search the docs/ }).click()
    await page.waitForURL(/\/docs\?q=approval/)
    await page.getByRole('heading').first().waitFor()
  })
})
