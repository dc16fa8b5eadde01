import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)

describe('the list of runs', () => {
  test('is live, keeps its filters in the address, and marks who is stuck', bound, async () => {
    const { page, complaints } = await visit({ at: '/runs' })
    const lines = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    await eventually(() => lines.count()).toBe(6)
    const stuck = lines.filter({ hasText: 'stuck' })
    const hrefs = (of: Locator) =>
      of.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    await eventually(() => hrefs(stuck)).toEqual([`/runs/${story.stuck}`])
    await page.getByRole('button', { name: 'completed' }).click()
    await page.waitForURL(`${world.url}/runs?status=completed`)
    await lines.filter({ hasText: 'done' }).waitFor()
    await eventually(() => lines.count()).toBe(1)
    await page.reload()
    await lines.filter({ hasText: 'done' }).waitFor()
    await page.getByRole('button', { name: 'completed' }).click()
    await lines.nth(5).waitFor()
    const fresh = await world.run('bugfix')
    await lines.nth(6).waitFor()
    await eventually(() => hrefs(lines.first())).toEqual([`/runs/${fresh}`])
    await world.move(fresh, 'FOUND')
    await lines.first().getByText('fixing').waitFor()
    // The agent gets on, and is no longer stuck.
    await world.check(story.stuck, 'Read', { file_path: 'package.json' })
    await world.check(story.stuck, 'Bash', { command: 'npm test' })
    await stuck.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})

describe('a run', () => {
  test('shows diagram, history, data and limits, and steps through them', bound, async () => {
    const { page, complaints } = await visit({ at: `/runs/${story.interrupted}` })
    await page.locator('.state.is-current').getByText('migrating').waitFor()
    await page.locator('.state.is-interrupted').getByText('fixing').waitFor()
    await page.getByText('db/2026/07-orders-index.sql').first().waitFor()
    // A denial says which rule spoke, where it stands, and what was asked for.
    await page.getByRole('button', { name: /Edit denied: tool_not_allowed/ }).click()
    const details = page.getByRole('region', { name: 'Selected entry' })
    await details.getByText('states.planning.allowed_tools').waitFor()
    await details.getByText('["Read","Grep","Glob"]').waitFor()
    await details.getByText('"file_path": "a.ts"').waitFor()
    expect(page.url()).toContain('?at=')
    await page.locator('.state.is-current').getByText('planning').waitFor()
    // The next steps write the cause and move on; the rest follows the selected entry.
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.locator('.state.is-current').getByText('fixing').waitFor()
    await page.locator('.context-field.changed').getByText('cause').waitFor()
    await page.getByText('0 of 20, 20 left').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.state.is-current').getByText('migrating').waitFor()
    expect(complaints).toEqual([])
  })

  test('shows branches side by side', bound, async () => {
    const { page } = await visit({ at: `/runs/${story.forked}` })
    await page.locator('.state.is-current').nth(1).waitFor()
    const here = await page.locator('.state.is-current').allInnerTexts()
    expect(here.map((text) => text.split('\n')[0]).sort()).toEqual([
      'checking_security',
      'checking_style',
    ])
    await page.getByRole('button', { name: 'style', exact: true }).click()
    await page.getByRole('heading', { name: 'State checking_style' }).waitFor()
  })

  test('is paused, resumed, forced and stopped by a person', bound, async () => {
    const run = await world.run('bugfix')
    const { page } = await visit({ at: `/runs/${run}` })
    const confirm = async (button: string, sure: string) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: sure, exact: true }).click()
    }
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText('Every call is denied until a person resumes it')
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Pause the run' }).click()
    await page.locator('.page-head').getByText('paused').waitFor()
    // It holds the agent: what its state allows is denied as well.
    expect((await world.check(run, 'Read', { file_path: 'a.ts' })).decision).toBe('deny')
    await confirm('Resume', 'Resume the run')
    await page.locator('.page-head').getByText('running').waitFor()
    await page.getByRole('button', { name: 'Force…' }).click()
    await page.getByRole('dialog').locator('select').selectOption('testing')
    await page.getByRole('dialog').getByRole('button', { name: 'Force' }).click()
    await page.locator('.state.is-current').getByText('testing').waitFor()
    await confirm('Stop', 'Stop the run')
    await page.locator('.page-head').getByText('stopped').waitFor()
    expect((await world.person('GET', `/api/runs/${run}`)).status).toBe('stopped')
  })

  test('a new entry is on screen after one answer, which holds nothing else', bound, async () => {
    const run = await world.run('review')
    const { page } = await visit({ at: `/runs/${run}` })
    await page.getByText('Started in reading').waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor()
    const question: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/entries')) question.push(searchParams.get('after') ?? '')
    })
    const expected: string[] = []
    for (let index = 1; index <= 9; index++) {
      await world.check(run, 'Read', { file_path: `${index}.ts` }, `call-${index}`)
      await page.locator(`.timeline li[data-index="${index}"]`).waitFor()
      expected.push(String(index))
    }
    expect(question).toEqual(expected)
  })

  test('is exported, and opened again from the file alone', bound, async () => {
    const { page } = await visit({ at: `/runs/${story.done}` })
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    const path = await (await download).path()
    await page.goto(`${world.url}/open`)
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByText('hash chain and replay are correct').waitFor()
    await page.locator('.state.is-current').getByText('done').waitFor()
    const changed = readFileSync(path, 'utf8').replace('"success"', '"failure"')
    const file = { name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(changed) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('The file was changed').waitFor()
  })
})

describe('the moments of a run', () => {
  test('are stepped, played and linked to, and the picture shows each', bound, async () => {
    const { page, complaints } = await visit({ at: `/runs/${story.interrupted}` })
    const bar = page.getByRole('region', { name: 'Moments' })
    await bar.getByText('now · entry').waitFor()
    await bar.getByRole('button', { name: 'Next denial' }).click()
    await page.locator('.state.is-current').getByText('planning').waitFor()
    await page
      .getByRole('region', { name: 'Selected entry' })
      .getByText(/ denied/)
      .first()
      .waitFor()
    const address = page.url()
    expect(address).toContain('?at=')
    await bar.getByRole('button', { name: 'Previous entry' }).click()
    await eventually(() => page.url()).not.toBe(address)
    await bar.getByLabel('Speed').selectOption('20')
    await bar.getByRole('button', { name: 'Play' }).click()
    await page.locator('.state.is-current').getByText('migrating').waitFor()
    await bar.getByText('now · entry').waitFor()
    // By keyboard, as every range.
    await bar.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await bar.getByText('entry 1 of').waitFor()
    await page.goto(address)
    await page.locator('.state.is-current').getByText('planning').waitFor()
    expect(complaints).toEqual([])
  })

  test('are stepped through as the list is narrowed', bound, async () => {
    const { page } = await visit({ at: `/runs/${story.interrupted}` })
    const history = page.getByRole('region', { name: 'History' })
    await history.getByRole('button', { name: 'moves', exact: true }).click()
    await page.keyboard.press('k')
    await history.locator('.timeline-line.is-chosen').waitFor()
    await page.keyboard.press('k')
    await eventually(() => history.locator('.timeline-line.is-chosen').innerText()).toMatch(/→/)
  })

  test('say what was called, fold what repeats, and are told as a story', bound, async () => {
    const run = await world.run('bugfix')
    for (let call = 0; call < 4; call++) {
      await world.check(run, 'Bash', { command: 'npm publish' }, `same-${call}`)
    }
    await world.move(run, 'FOUND', { cause: 'rounding' })
    const { page } = await visit({ at: `/runs/${run}` })
    const history = page.getByRole('region', { name: 'History' })
    const folded = history.getByRole('button', { name: /Bash denied/ })
    await folded.getByText('4 times').waitFor()
    await folded.getByText('npm publish').waitFor()
    expect(await folded.count()).toBe(1)
    // Steps go through each of them all the same, and the line stays chosen.
    await page.keyboard.press('k')
    await page.waitForURL(/at=5/)
    await history.locator('.timeline-line.is-chosen', { hasText: '4 times' }).waitFor()
    await history.getByRole('button', { name: 'As a story' }).click()
    await history.getByText(/^It was denied 4 times, Bash “npm publish”/).waitFor()
    await history.getByText('FOUND took it from planning to fixing.').waitFor()
  })
})
