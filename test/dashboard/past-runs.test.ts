import { describe, expect, test } from 'vitest'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

describe('trying rules on past runs', () => {
  test('RP-3: of a workflow, beside Save: what would be denied, with a link', bound, async () => {
    const run = await world.run('bugfix')
    const check = (tool: string, input: object) => world.check(run, tool, input)
    expect((await check('Read', { file_path: 'README.md' })).decision).toBe('allow')
    expect((await check('Grep', { pattern: 'TODO' })).decision).toBe('allow')
    const { page, complaints } = await visit({ at: '/workflows/bugfix/edit' })
    await page.locator('.editor-graph .state', { hasText: 'planning' }).first().click()
    await page.getByLabel('Allowed tools').fill('Read')
    await page.getByLabel('Allowed tools').blur()
    await page.getByText('not saved').waitFor()
    await page.getByRole('button', { name: 'Try on past runs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Try on past runs' })
    await dialog.getByRole('button', { name: 'Try', exact: true }).click()
    await dialog.getByText('1 call would be denied').waitFor()
    const calls = dialog.getByRole('region', { name: 'Calls worth a look' })
    await calls.getByText(/^Grep pattern: TODO/).waitFor()
    await dialog.getByRole('region', { name: 'By rule' }).getByText('states.planning').waitFor()
    // The picture shows where.
    const heat = dialog.getByRole('region', { name: 'Where it would change' })
    const planning = heat.locator('.react-flow__node[data-id="planning"]')
    await planning.getByText('1 more stopped').waitFor()
    const opened = page.waitForEvent('popup')
    await calls.getByRole('link', { name: 'show in its run' }).click()
    await (await opened).waitForURL(new RegExp(`/runs/${run}\\?at=\\d+$`))
    expect(complaints).toEqual([])
  })

  test('RP-7: of a policy, in its editor', bound, async () => {
    const run = await world.run('bugfix')
    await world.check(run, 'Read', { file_path: 'secret.txt' })
    const { page, complaints } = await visit({ at: '/policies' })
    await page.getByRole('button', { name: 'New policy' }).click()
    await page.getByLabel('Name', { exact: true }).fill('no-reading')
    await page.getByLabel('Policy, as YAML or JSON').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('deny:\n  - capability: read\n')
    await page.getByRole('button', { name: 'Try on past runs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Try on past runs' })
    await dialog.getByRole('button', { name: 'Try', exact: true }).click()
    await dialog.getByText(/calls? would be denied/).waitFor()
    await dialog.getByText('policies.no-reading.deny.0').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    // Trying saves nothing.
    expect((await world.check(run, 'Read', { file_path: 'secret.txt' })).decision).toBe('allow')
    expect(complaints).toEqual([])
  })
})
