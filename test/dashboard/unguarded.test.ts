import { expect, test } from 'vitest'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

test(
  'the welcome leads to a guarded client by one command, and then to the rules',
  bound,
  async () => {
    const { page } = await visit()
    const steps = page.locator('.welcome li')
    await steps.filter({ hasText: 'Make the rules yours' }).waitFor()
    const texts = await steps.allInnerTexts()
    const at = (words: string) => texts.findIndex((text) => text.includes(words))
    expect(at('npm run install:global')).toBeLessThan(at('statewright init'))
    expect(at('statewright init')).toBeLessThan(at('Make the rules yours'))
    await steps.getByRole('link', { name: 'recipes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Recipes' }).waitFor()
  },
)

test(
  'WF-27: a run that its agent paused is called unguarded wherever it is shown',
  bound,
  async () => {
    const run = await world.run('bugfix')
    await world.agent('POST', `/api/runs/${run}/pause`, {})
    const { page } = await visit()
    await page.getByText('1 unguarded run').waitFor()
    await page.goto(`${world.url}/runs`)
    const line = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    await line.getByText('unguarded').waitFor()
    await page.goto(`${world.url}/runs/${run}`)
    await page.getByRole('main').getByText('unguarded').first().waitFor()
    await world.agent('POST', `/api/runs/${run}/resume`, {})
    await page.getByText('1 unguarded run').waitFor({ state: 'detached' })
  },
)
