import { describe, expect, test } from 'vitest'
import {
  eventually,
  holdAnswers,
  sidewaysPixels,
  untilDialogIsGone,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const project = '/home/ann/shop'
const query = `?project=${encodeURIComponent(project)}`
const { world, visit } = await openDashboard()

describe('memory and tasks', () => {
  test('PR-8, PR-8a: what agents keep is found, changed and forgotten', bound, async () => {
    const { page, complaints } = await visit({ at: '/memory' })
    await page.getByText('No project yet').waitFor()
    // An agent keeps something only where it has a run.
    await world.agent('POST', '/api/runs', { workflow: 'bugfix', project })
    // The page hears of a run, and so of its project.
    await page.getByRole('region', { name: 'Memory' }).waitFor()
    await world.agent('PUT', `/api/memory/rounding${query}`, { value: 'Round once, at the end.' })
    await world.agent('PUT', `/api/memory/style${query}`, { value: 'Two spaces.' })
    await page.getByLabel('Project').fill(project)
    await page.getByRole('button', { name: 'Open' }).click()
    const memory = page.getByRole('region', { name: 'Memory' })
    await memory.getByRole('button', { name: /style/ }).waitFor()
    await memory.getByLabel('Search memory').fill('ROUND')
    await memory.getByRole('button', { name: /style/ }).waitFor({ state: 'detached' })
    await memory.getByRole('button', { name: /rounding/ }).click()
    await page.getByRole('dialog').getByLabel('Text').fill('Round half to even.')
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await memory.getByText('Round half to even.').waitFor()
    expect((await world.agent('GET', `/api/memory/rounding${query}`)).value).toBe(
      'Round half to even.',
    )
    await memory.getByRole('button', { name: /rounding/ }).click()
    await page.getByRole('button', { name: 'Forget it' }).click()
    await memory.getByText('Nothing contains these words.').waitFor()
    await memory.getByRole('button', { name: 'Add memory' }).click()
    await page.getByRole('dialog').getByLabel('Key').fill('hours')
    await page.getByRole('dialog').getByLabel('Text').fill('Deploy before noon.')
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await untilDialogIsGone(page)
    expect((await world.agent('GET', `/api/memory/hours${query}`)).value).toBe(
      'Deploy before noon.',
    )
    expect(complaints).toEqual([])
  })

  test('what is typed stays when the projects are known', bound, async () => {
    await world.agent('POST', '/api/runs', { workflow: 'bugfix', project: '/home/ann/other' })
    const { page } = await visit()
    const letThrough = await holdAnswers(page, /\/api\/runs\?/)
    await page.goto(`${world.url}/memory`)
    await page.getByLabel('Project').fill('/home/ann/sho')
    const known = page.waitForResponse(/\/api\/runs\?/)
    letThrough()
    await known
    await page.getByRole('region', { name: 'Memory' }).waitFor()
    await page.keyboard.type('p')
    await eventually(() => page.getByLabel('Project').inputValue()).toBe('/home/ann/shop')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world.url}/memory${query}`)
    await page.getByLabel('Search memory').pressSequentially('round')
    await page.waitForURL(/find=round$/)
    await eventually(() => page.getByLabel('Search memory').inputValue()).toBe('round')
  })

  test('PR-8a: tasks are added, seen when an agent takes them, and given back', bound, async () => {
    const { page } = await visit({ at: `/memory${query}` })
    const tasks = page.getByRole('region', { name: 'Tasks' })
    await tasks.getByLabel('New task').fill('Write the changelog')
    await tasks.getByRole('button', { name: 'Add' }).click()
    const line = tasks.getByRole('listitem').filter({ hasText: 'Write the changelog' })
    await line.getByText('open').waitFor()
    const found = await world.agent('GET', `/api/tasks${query}`)
    const { task_id: id } = found.tasks[0]
    await world.agent('POST', `/api/tasks/${id}/claim${query}`, {})
    await line.getByText('taken by').waitFor()
    await line.getByRole('button', { name: /Give back/ }).click()
    await line.getByRole('button', { name: /Cancel/ }).click()
    await line.getByRole('button', { name: /Remove/ }).click()
    await line.waitFor({ state: 'detached' })
  })

  test('words of an agent run nowhere and break no layout', bound, async () => {
    const script = '<img src=x onerror="window.hacked=1">\u202e'
    const long = 'x'.repeat(180)
    const key = encodeURIComponent(`${script}${long.slice(0, 100)}`)
    const tags = [script, long]
    await world.agent('PUT', `/api/memory/${key}${query}`, { value: `${script}${long}`, tags })
    await world.agent('POST', `/api/tasks${query}`, { title: `${script}${long}`, tags })
    for (const width of [1440, 390]) {
      const { page, complaints } = await visit({ width, at: `/memory${query}` })
      await page.getByRole('region', { name: 'Tasks' }).getByText('<img').first().waitFor()
      await page.getByRole('region', { name: 'Memory' }).getByText('<img').first().waitFor()
      const wide = await sidewaysPixels(page)
      expect([width, wide]).toEqual([width, [0, 0]])
      expect(await page.evaluate('window.hacked')).toBe(undefined)
      expect(await page.locator('main img').count()).toBe(0)
      expect(await page.locator('main').innerText()).not.toContain('\u202e')
      expect(complaints).toEqual([])
    }
  })
})
