import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  eventually,
  sidewaysPixels,
  untilDialogIsGone,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

const text = `role: agent
allow:
  - capability: read
    rate_limit: { max_calls: 2, window_seconds: 3600 }
  - capability: bash
    budget_limit: { max_usd: 1, period: daily }
ask:
  - capability: webfetch
deny:
  - capability: "mcp:fs:*"
`

/** As people do it: all is chosen, deleted and written anew. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Policy, as YAML or JSON').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

describe('policies and budgets', () => {
  test(
    'PO-2, PO-5: one is written with findings, shows its rules in order, and what is used',
    bound,
    async () => {
      const { page, complaints } = await visit({ at: '/policies' })
      await page.getByRole('button', { name: 'New policy' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('careful')
      await write(page, 'allow:\n  - capabilty: bash\n')
      await dialog.getByRole('list', { name: 'Findings' }).getByText('line 2').first().waitFor()
      const save = dialog.getByRole('button', { name: 'Save' })
      await eventually(() => save.isDisabled()).toBe(true)
      await write(page, text)
      await save.click()
      const card = page.getByRole('region', { name: 'Policy careful' })
      await card.waitFor()
      await eventually(() => card.locator('.rule .badge').allInnerTexts()).toEqual([
        'deny',
        'ask',
        'allow',
        'allow',
        'allow',
      ])
      // Calls that agents make use up what the rule allows.
      const run = await world.run('review')
      for (const call of ['c1', 'c2', 'c3']) {
        await world.check(run, 'Read', { file_path: 'a.ts' }, call)
      }
      await card.getByText(/2 of 2\s+calls/).waitFor()
      await card.getByText('used up').waitFor()
      await card
        .getByText(/left until reset/)
        .first()
        .waitFor()
      expect(complaints).toEqual([])
    },
  )

  test('PO-1: a call is tried, and the rule that speaks is named', bound, async () => {
    const { page } = await visit({ at: '/policies' })
    const field = page.getByRole('region', { name: 'Try a call' })
    const tryIt = async (tool: string) => {
      await field.getByLabel('Tool').fill(tool)
      await field.getByRole('button', { name: 'Try it' }).click()
    }
    await tryIt('mcp:fs:write')
    await field.getByText('denied', { exact: true }).waitFor()
    await field.getByText('policies.careful.deny.0').first().waitFor()
    await tryIt('WebFetch')
    await field.getByText('asks a person', { exact: true }).waitFor()
    await tryIt('Read')
    await field.getByText('rate_exceeded').waitFor()
    await field.getByText('used up').waitFor()
    await tryIt('Edit')
    await field.getByText('allowed', { exact: true }).waitFor()
    await field.getByText('by default').waitFor()
  })

  test('an answer that comes late is not shown for a later question', bound, async () => {
    const { page } = await visit({ at: '/policies' })
    const field = page.getByRole('region', { name: 'Try a call' })
    const first = Promise.withResolvers<void>()
    await page.route(/\/explain$/, async (route) => {
      const response = await route.fetch()
      if (route.request().postData()?.includes('WebFetch')) await first.promise
      await route.fulfill({ response })
    })
    const late = page.waitForResponse((one) => !!one.request().postData()?.includes('WebFetch'))
    for (const tool of ['WebFetch', 'Edit']) {
      await field.getByLabel('Tool').fill(tool)
      await field.getByRole('button', { name: 'Try it' }).click()
    }
    await field.getByText('allowed', { exact: true }).waitFor()
    first.resolve()
    await (await late).finished()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    expect(await field.getByText('asks a person', { exact: true }).count()).toBe(0)
  })

  test(
    'PO-1b: a change asks for the PIN once in ten minutes, and holds at once',
    bound,
    async () => {
      const { page } = await visit({
        login: world.personLogin(),
        pin: '4711-4711',
        at: '/policies',
      })
      await page.getByRole('button', { name: 'Edit careful' }).click()
      await write(page, '{ "deny": [{ "capability": "read" }] }')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('input[type=password]').fill('4711-4711')
      await page.getByRole('button', { name: 'Confirm' }).click()
      const card = page.getByRole('region', { name: 'Policy careful' })
      await card.getByText('v2').waitFor()
      await eventually(() => card.locator('.rule').count()).toBe(2)
      const run = await world.run('review')
      expect((await world.check(run, 'Read', { file_path: 'b.ts' })).decision).toBe('deny')
      await page.getByRole('button', { name: 'Edit careful' }).click()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('Removed', { exact: true }).first().waitFor()
      await untilDialogIsGone(page)
      await card.waitFor({ state: 'detached' })
    },
  )

  test('PO-1e: versions are compared, and an earlier one is restored', bound, async () => {
    const policy = { deny: [{ capability: 'mcp:x:one' }] }
    await world.person('PUT', '/api/policies/changing', { policy })
    const { page } = await visit({ at: '/policies' })
    await page.getByRole('button', { name: 'Edit changing' }).click()
    const changed = '{ "deny": [{ "capability": "mcp:x:two" }] }'
    await write(page, changed)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Policy changing' }).getByText('v2').waitFor()
    await untilDialogIsGone(page)
    await page.getByRole('link', { name: 'Versions of changing' }).click()
    await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
    await page.getByText('mcp:x:two').first().waitFor()
    await page.getByRole('radio', { name: 'With version 1' }).check()
    const restored = page.waitForResponse((one) => one.ok() && one.url().endsWith('/restore'))
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await restored
    await page.getByText('policy · version 3').waitFor()
    const now = await world.person('GET', '/api/policies/changing')
    expect(now).toMatchObject({ version: 3, policy: { deny: [{ capability: 'mcp:x:one' }] } })
  })

  test('PO-1f: a policy that somebody else saved meanwhile is not overwritten', bound, async () => {
    const put = (capability: string) =>
      world.person('PUT', '/api/policies/shared', { policy: { deny: [{ capability }] } })
    await put('mcp:x:one')
    const { page, complaints } = await visit({ at: '/policies' })
    await page.getByRole('button', { name: 'Edit shared' }).click()
    const area = page.getByLabel('Policy, as YAML or JSON')
    await write(page, '{ "deny": [{ "capability": "mcp:x:mine" }] }')
    // Escape leaves the text, not the dialog.
    await page.keyboard.press('Escape')
    await area.getByText('mcp:x:mine').waitFor()
    await put('mcp:x:theirs')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: /^Not saved: version 2 came first/ })
    await dialog.getByRole('region', { name: 'They changed' }).getByText('mcp:x:theirs').waitFor()
    const stored = async () =>
      (await world.person('GET', '/api/policies/shared')).policy.deny[0].capability
    expect(await stored()).toBe('mcp:x:theirs')
    await dialog.getByRole('button', { name: 'Keep mine as version 3' }).click()
    await dialog.waitFor({ state: 'detached' })
    await untilDialogIsGone(page)
    await eventually(stored).toBe('mcp:x:mine')
    expect(complaints).toEqual([])
  })

  test('PO-6: spend is drawn, and stands in a table', bound, async () => {
    const run = await world.run('review')
    await world.check(run, 'Read', { file_path: 'a.ts' }, 's1')
    await world.result(run, 's1', { bytes: 1, cost_usd: 1.5 })
    const { page } = await visit({ at: '/policies' })
    await page.getByText('$1.50 in all').waitFor()
    await page.getByRole('button', { name: '31 days' }).click()
    await page.getByText('As a table').click()
    await page.getByRole('cell', { name: '$1.50' }).waitFor()
  })

  test('names and rules run nowhere and break no layout', bound, async () => {
    const script = `<img src=x onerror="window.hacked=1">\u202e`
    const long = 'x'.repeat(190)
    const saved = await world.person('PUT', '/api/policies/hostile', {
      project: `/tmp/${script}/${long}`,
      policy: {
        role: script,
        deny: [{ capability: `mcp:a:${script}` }, { capability: `mcp:b:${long}` }],
        allow: [{ capability: 'bash', rate_limit: { max_calls: 5, window_seconds: 60 } }],
      },
    })
    expect(saved.name).toBe('hostile')
    for (const width of [1440, 390]) {
      const { page, complaints } = await visit({ width, at: '/policies' })
      await page.getByRole('region', { name: 'Policy hostile' }).waitFor()
      await page.getByLabel('Tool').fill(`mcp:a:${script}${long.slice(0, 100)}`)
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByText('of the role').waitFor()
      const wide = await sidewaysPixels(page)
      expect([width, wide]).toEqual([width, [0, 0]])
      expect(await page.evaluate('window.hacked')).toBe(undefined)
      expect(await page.locator('main img').count()).toBe(0)
      expect(await page.locator('main').innerText()).not.toContain('\u202e')
      expect(complaints).toEqual([])
    }
  })
})
