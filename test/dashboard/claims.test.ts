import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

const release = `id: release
initial: working
meta: { approval_mode: ui }
states:
  working:
    allowed_tools: [Read, Edit]
    on:
      SHIP: { target: checking }
      HURRY: shipped
  checking:
    allowed_tools: [Read]
    on: { OK: { target: shipped, requires_approval: true } }
  shipped: { type: final }
`

async function write(page: Page, text: string): Promise<void> {
  await page.goto(`${world.url}/playground`)
  await page.locator('.code-editor .cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
  await page.getByText('No problems found').waitFor()
}

describe('claims in the editor', () => {
  test('PV-12: have a tick, or show what refutes them step by step', bound, async () => {
    const { page, complaints } = await visit()
    await write(page, release)
    await page.getByRole('tab', { name: /Claims/ }).click()
    const claims = page.getByRole('list', { name: 'Claims' })
    const end = claims.getByRole('listitem').filter({ hasText: 'an end can always be reached' })
    await end.getByText('proved').waitFor()
    await page
      .getByLabel('Your own claims')
      .fill('- name: a person agrees\n  never: { enter: shipped }\n  unless: { approval: true }')
    const own = claims.getByRole('listitem').filter({ hasText: 'a person agrees' })
    await own.getByText('refuted').waitFor()
    await page.getByRole('tab', { name: 'Claims · 1 refuted' }).waitFor()
    await own.getByRole('button', { name: 'Show me' }).click()
    // The way is one step long: the run has come to its end.
    await page.getByRole('tab', { name: 'Simulate', selected: true }).waitFor()
    await page.locator('.editor-tabs').getByText('shipped').first().waitFor()
    await page.locator('.editor-tabs').getByText('completed').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('PV-12: a longer story is stepped through, and typing begins anew', bound, async () => {
    const { page, complaints } = await visit()
    await write(page, release.replace('HURRY: shipped', 'WAIT: working'))
    await page.getByRole('tab', { name: /Claims/ }).click()
    await page.getByLabel('Your own claims').fill('never: { enter: shipped }')
    const claims = page.getByRole('list', { name: 'Claims' })
    const own = claims.getByRole('listitem').filter({ hasText: 'never enter shipped' })
    await own.getByRole('button', { name: 'Show me' }).click()
    await page.getByText('Step 1 of 3 of a run that refutes the claim').waitFor()
    await page.locator('.editor-graph').getByText('checking').first().waitFor()
    await page.getByRole('button', { name: /Next step/ }).click()
    await page.getByText('Step 2 of 3').waitFor()
    await page.getByRole('button', { name: /Next step/ }).click()
    await page.locator('.editor-tabs').getByText('completed').first().waitFor()
    await page.getByRole('tab', { name: /Claims/ }).click()
    await page.getByLabel('Your own claims').fill('never: { enter: nowhere }')
    await claims.getByText('There is no state "nowhere"').waitFor()
    await page.getByLabel('Your own claims').fill('never: { entre: shipped }')
    await page.getByRole('alert').getByText('entre').waitFor()
    expect(complaints).toEqual([])
  })
})
