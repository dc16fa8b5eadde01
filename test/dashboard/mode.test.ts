import { describe, expect, test } from 'vitest'
import { axeFindings } from '../../packages/server/testing/dashboard/axe.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const run = await world.run('bugfix')

const write = { file_path: 'a.ts', content: 'x' }

describe('the mode in the settings', () => {
  test('is switched with a PIN, seen by another browser, and switched back', bound, async () => {
    const ann = await visit({ login: world.personLogin(), pin: '271828' })
    const { page, complaints } = ann
    const other = await visit()
    await page.goto(`${world.url}/settings`)
    const observe = page.getByRole('button', { name: /^Observe/ })
    await observe.click()
    await page.getByRole('button', { name: 'Stop blocking' }).click()
    await page.getByRole('dialog', { name: 'Your PIN' }).getByLabel('PIN').fill('271828')
    // Until the PIN was given nothing has changed.
    expect((await world.check(run, 'Write', write)).decision).toBe('deny')
    await page.keyboard.press('Enter')
    await page.getByText('Only observing from now on').first().waitFor()
    // The notice comes before what it tells of was read again.
    await page.getByRole('button', { name: /^Observe/, pressed: true }).waitFor()
    await page.getByText('No call would have been denied so far.').waitFor()
    await other.page.getByText('observing only').waitFor()

    const passed = await world.check(run, 'Write', write)
    expect([passed.decision, passed.would]).toEqual(['allow', 'deny'])
    await page.reload()
    await page.getByText('1 call would have been denied or held for a person so far.').waitFor()
    const line = page.getByRole('row').filter({ hasText: 'tool_not_allowed' })
    await line.getByText('Write', { exact: true }).waitFor()
    await line.getByRole('link', { name: 'bugfix in' }).click()
    await page.waitForURL(new RegExp(`/runs/${run}\\?at=\\d+$`))
    // The record says what happened, not what would have.
    const entry = page.getByRole('region', { name: 'Selected entry' })
    await entry.getByRole('heading', { name: /^Write passed, would have been denied/ }).waitFor()
    const planning = page.locator('.state', { hasText: 'planning' })
    await planning.getByText('1 passed').waitFor()
    await planning.getByText('1 denied').waitFor()
    await page.getByRole('button', { name: 'Next passed call' }).waitFor()

    await page.goto(`${world.url}/settings`)
    await page.getByRole('button', { name: /^Enforce/ }).click()
    await page.getByText('So far 1 call would have been stopped.').waitFor()
    await page.getByRole('button', { name: 'Start blocking' }).click()
    await other.page.getByText('enforcing').waitFor()
    expect((await world.check(run, 'Write', write)).decision).toBe('deny')
    expect([...complaints, ...other.complaints]).toEqual([])
  })
})

describe('the clients in the settings', () => {
  const target = { scope: 'user', url: 'http://127.0.0.1:1' }

  test('teach how to install one while there is none', bound, async () => {
    const { page } = await visit({ at: '/settings' })
    await page.getByText('No coding client is guarded yet').waitFor()
    await page.getByText('statewright install claude-code', { exact: true }).first().waitFor()
  })

  test('show what doctor found, worst first, and the command that mends it', bound, async () => {
    const next = 'run "statewright install gemini --user" again.'
    const hostile = '<img src=x onerror="window.hacked=1">'
    const findings = [{ check: 'settings', status: 'broken', message: hostile, next }]
    const sound = [{ check: 'canary', status: 'ok', message: 'It was denied.' }]
    await world.person('PUT', '/api/clients/report', {
      ok: false,
      clients: [
        { client: 'codex', ...target, findings: sound },
        { client: 'gemini', ...target, findings },
      ],
    })
    await world.restart()
    const { page, complaints } = await visit({ at: '/settings' })
    const items = page.locator('.client-list > li')
    await items.first().waitFor()
    const texts = await items.allInnerTexts()
    expect(texts[0]).toContain('gemini')
    expect(texts[0]).toContain('broken')
    expect(texts[0]).toContain(hostile)
    expect(texts[0]).toContain('statewright install gemini --user')
    expect(texts[1]).toContain('codex')
    expect(texts[1]).toContain('healthy')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(complaints).toEqual([])
  })

  test('stand beside what holds, and where the data lie', bound, async () => {
    const { page } = await visit({ at: '/settings' })
    await page.getByRole('heading', { name: 'Not protected' }).waitFor()
    await page.getByText(`SQLite in ${world.folder}`).waitFor()
    for (const link of await page
      .getByRole('navigation', { name: 'Guide' })
      .getByRole('link')
      .all()) {
      const href = (await link.getAttribute('href')) ?? ''
      expect([href, (await fetch(world.url + href)).status]).toEqual([href, 200])
    }
  })
})

describe('in both themes', () => {
  test('neither the settings of an observing server nor the switch offend axe', bound, async () => {
    await world.person('PUT', '/api/mode', { mode: 'observe' })
    await world.check(run, 'Write', write)
    for (const width of [1440, 390]) {
      const { page } = await visit({ width, at: '/settings' })
      await page.getByRole('row').filter({ hasText: 'tool_not_allowed' }).first().waitFor()
      await page.locator('.client-list > li').first().waitFor()
      expect([width, await axeFindings(page)]).toEqual([width, []])
      await page.getByRole('button', { name: /^Enforce/ }).click()
      await page.getByRole('dialog').waitFor()
      expect([width, await axeFindings(page)]).toEqual([width, []])
    }
  })
})
