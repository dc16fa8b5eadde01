import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually, holdAnswers } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import {
  sessionWorkspace,
  startScripted,
  withHook,
} from '../../packages/server/testing/dashboard/session-scripts.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const workspace = sessionWorkspace(world)
// The hook is content until a test takes this away.
writeFileSync(join(workspace, 'formatted'), '')
await withHook(world)

const badge = (page: Page, kind: string) => page.locator(`.page-head [data-kind=${kind}]`)

async function say(page: Page, text: string): Promise<void> {
  await badge(page, 'ready').waitFor()
  await page.getByLabel('Say something').fill(text)
  await page.keyboard.press('Enter')
}

describe('sessions', () => {
  test(
    'SE-14: one is started, talks, is denied, and is stopped in the browser',
    bound,
    async () => {
      const { page, complaints } = await visit({ at: '/sessions' })
      await page.getByText('No session yet').waitFor()
      await page.getByRole('button', { name: 'Start a session' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Harness').selectOption('scripted')
      await dialog.getByRole('combobox', { name: 'Workspace' }).fill(workspace)
      const start = dialog.getByRole('button', { name: 'Start', exact: true })
      await eventually(() => start.isDisabled()).toBe(true)
      await dialog.getByRole('textbox', { name: 'Script' }).fill('fix.json')
      await dialog.getByRole('combobox', { name: /^Rules/ }).selectOption('workflow:bugfix')
      await start.click()
      await page.waitForURL(/\/sessions\/sess_/)
      await say(page, 'The total is off by a cent.')
      await page.getByText('The cause: rounding before the sum.').waitFor()
      await badge(page, 'ready').waitFor()
      // What was denied says by which rule, and why; the rest went through.
      const edit = page.locator('.tool', { hasText: 'edit_file' })
      await edit.getByText('denied: tool_not_allowed').waitFor()
      await edit.locator('.tool-why').getByText('Edit may not be used in planning').waitFor()
      await page.locator('.tool', { hasText: 'list_files' }).getByText('done').waitFor()
      await page.locator('.tool', { hasText: 'read_file' }).locator('summary').click()
      await page.getByLabel('Result of read_file').getByText('export const total').waitFor()
      const spent = page.locator('.session-spent')
      await eventually(() => spent.innerText()).toBe('$0.05 · 7,310 tokens')
      await eventually(() => page.locator('.lane-bar.model').count()).toBe(3)
      await eventually(() => page.locator('.lane-bar.tools').count()).toBe(4)
      await page.getByText('As a table').click()
      await page.getByRole('cell', { name: 'denied: tool_not_allowed' }).first().waitFor()
      // Nothing failed, so that there is nothing to retry.
      expect(await page.getByRole('button', { name: /Retry/ }).count()).toBe(0)
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stop the session' }).click()
      await badge(page, 'stopped').waitFor()
      await page.getByText('The session has stopped.').waitFor()
      await page.getByRole('link', { name: /guarded by a run of bugfix/ }).click()
      await page.getByText('edit_file denied: tool_not_allowed').first().waitFor()
      expect(complaints).toEqual([])
    },
  )

  test(
    'SE-5: only a person runs a failed change again, where the machine allows',
    bound,
    async () => {
      const sessionId = await startScripted(world, 'slow')
      const { page } = await visit({ at: `/sessions/${sessionId}` })
      await say(page, 'check it')
      await badge(page, 'error').waitFor()
      writeFileSync(join(workspace, 'go'), '')
      await page.getByRole('button', { name: 'Retry bash' }).click()
      await page.getByText('The check went through.').waitFor()
      await page.locator('.tool', { hasText: 'attempt 2' }).first().waitFor()
      await eventually(() => page.getByRole('button', { name: /Retry/ }).count()).toBe(0)
    },
  )

  test('SE-21: what a command prints is shown while it runs', bound, async () => {
    const sessionId = await startScripted(world, 'printing')
    const { page } = await visit({ at: `/sessions/${sessionId}` })
    await say(page, 'check it')
    const live = page.getByRole('region', { name: 'Output of bash so far' })
    await live.getByText('12 of 40 passed').waitFor()
    // Somebody who comes later sees it, too.
    await page.reload()
    await live.getByText('12 of 40 passed').waitFor()
    writeFileSync(join(workspace, 'looked'), '')
    await page.getByText('They pass.').waitFor()
    await eventually(() => live.count()).toBe(0)
  })

  test('SE-14: what is said before the story has come is sent', bound, async () => {
    const sessionId = await startScripted(world, 'fix')
    const { page } = await visit()
    const letThrough = await holdAnswers(page, /\/events/)
    await page.goto(`${world.url}/sessions/${sessionId}`)
    await page.locator('.chat').getByText('Reading…').waitFor()
    const sent = page.waitForResponse((response) => response.url().endsWith('/input'))
    await say(page, 'The total is off by a cent.')
    await sent
    letThrough()
    await page.getByText('The cause: rounding before the sum.').waitFor()
  })

  test('SE-6: a failed hook is run again', bound, async () => {
    rmSync(join(workspace, 'formatted'), { force: true })
    const sessionId = await startScripted(world, 'hooked')
    const { page } = await visit({ at: `/sessions/${sessionId}` })
    await say(page, 'write it')
    await badge(page, 'error').waitFor()
    await page.getByText('hook_execution_failed').waitFor()
    writeFileSync(join(workspace, 'formatted'), '')
    await page.getByRole('button', { name: 'Retry format' }).click()
    await page.getByText('The note is written and formatted.').waitFor()
    await eventually(() => page.locator('.lane-bar.hooks').count()).toBe(2)
  })

  test(
    'SE-13: words appear as they come, and survive a restart without a double',
    bound,
    async () => {
      const sessionId = await startScripted(world, 'words')
      const { page } = await visit()
      let streams = 0
      page.on('request', (request) => {
        if (request.url().includes('/events')) streams += 1
      })
      await page.goto(`${world.url}/sessions/${sessionId}`)
      await say(page, 'count')
      await page.locator('.said[data-done=false]', { hasText: 'One' }).waitFor()
      expect(await page.locator('.chat').innerText()).not.toContain('two')
      await page.locator('.said[data-done=false]', { hasText: 'One two' }).waitFor()
      expect(streams).toBe(1)
      await world.restart(async () => {
        await page.locator('.badge').getByText('not live, trying again').waitFor()
      })
      // The request that was under way is asked again (SE-9): what broke off stays, once.
      await page.locator('.said', { hasText: 'One two' }).nth(1).waitFor()
      await eventually(() => page.locator('.said', { hasText: 'One two' }).count()).toBe(2)
      await eventually(() => page.locator('.said.by-person').count()).toBe(1)
      await world.person('POST', `/api/sessions/${sessionId}/stop`, {})
      await badge(page, 'stopped').waitFor()
    },
  )

  test('the list is live and is narrowed in the address', bound, async () => {
    const sessionId = await startScripted(world, 'fix')
    const { page } = await visit({ at: '/sessions?show=ready&harness=scripted' })
    const lines = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    const line = lines.filter({ has: page.locator(`a[href="/sessions/${sessionId}"]`) })
    await line.waitFor()
    await world.person('POST', `/api/sessions/${sessionId}/stop`, {})
    await line.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'stopped' }).click()
    await page.waitForURL(/show=stopped/)
    await line.waitFor()
    await line.getByRole('link').click()
    await page.getByText('The session has stopped.').waitFor()
  })

  test('words of an agent run nowhere, hide nothing and break no layout', bound, async () => {
    const sessionId = await startScripted(world, 'hostile')
    await world.person('POST', `/api/sessions/${sessionId}/input`, { text: '<b>go</b>\u202e' })
    for (const width of [1440, 390]) {
      const { page, complaints } = await visit({ width })
      for (const path of [`/sessions/${sessionId}`, '/sessions']) {
        await page.goto(world.url + path)
        if (path !== '/sessions') {
          await page.locator('.chat .note').first().waitFor()
          await page.locator('.said', { hasText: '<img src=x' }).waitFor()
          for (const part of await page.locator('main summary').all()) await part.click()
        } else await page.getByRole('list', { name: 'Sessions' }).waitFor()
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([path, width, wide]).toEqual([path, width, 0])
        const inner = await page.evaluate(
          "[...document.querySelectorAll('main, .chat')].map((e) => e.scrollWidth - e.clientWidth)",
        )
        expect([path, width, inner]).toEqual([path, width, path === '/sessions' ? [0] : [0, 0]])
        expect(await page.evaluate('window.hacked')).toBe(undefined)
        expect(await page.locator('main img, main script').count()).toBe(0)
        expect(await page.locator('main').innerText()).not.toContain('\u202e')
      }
      expect(complaints).toEqual([])
    }
  })
})
