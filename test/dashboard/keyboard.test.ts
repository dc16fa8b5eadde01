import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeFindings } from '../../packages/server/testing/dashboard/axe.ts'
import {
  eventually,
  untilDialogHasFocus,
  untilDialogIsGone,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)

const start = `# Written once.
id: typed
initial: planning
states:
  planning: # the first one
    allowed_tools: [Read]
  done: { type: final }
`

/** What has the keyboard, by its name. */
function focused(page: Page): Promise<unknown> {
  return page.evaluate(
    `(() => { const e = document.activeElement
      if (e.matches('.code-editor')) return 'code-editor'
      return e.getAttribute('aria-label') ?? e.textContent.trim().slice(0, 40) })()`,
  )
}

/** Tab until something has the keyboard, as a person would. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: unknown[] = []
  for (let step = 0; step < 60; step++) {
    // In the text of a definition Tab is a letter; what leaves it is said there.
    if (await page.locator('.code-editor:focus-within').count()) await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    const now = String(await focused(page))
    if (typeof name === 'string' ? now === name : name.test(now)) return
    seen.push(now)
  }
  throw new Error(`${name} was not reached: ${seen.join(' | ')}`)
}

/** A mouse that was used would show. */
async function refuseMouse(page: Page): Promise<void> {
  await page.evaluate(`window.mice = 0
    addEventListener('pointerdown', () => { window.mice += 1 }, true)`)
}

async function textOf(page: Page): Promise<string> {
  return (await page.locator('.code-editor .cm-line').allTextContents()).join('\n')
}

describe('without a mouse', () => {
  test('a question is approved', bound, async () => {
    const { page, complaints } = await visit()
    await refuseMouse(page)
    await page.getByText('If you approve').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('a')
    await untilDialogHasFocus(page)
    await page.keyboard.press('Enter')
    await untilDialogIsGone(page)
    const approved = async () =>
      (await world.person('GET', '/api/approvals?status=approved')).approvals.length
    await eventually(approved).toBe(1)
    expect(await page.evaluate('window.mice')).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a run is found by its words, in the palette and on the page', bound, async () => {
    const { page, complaints } = await visit()
    await refuseMouse(page)
    await page.keyboard.press('Control+k')
    await untilDialogHasFocus(page)
    await page.keyboard.type('orders-index')
    await page.getByRole('option', { name: /bugfix · migrating/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${story.interrupted}`)
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL('**/runs')
    const lines = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    await lines.first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('rounding')
    await page.waitForURL(/search=rounding/)
    await eventually(() => lines.count()).toBe(1)
    await tabTo(page, /completed.*bugfix/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${story.done}`)
    expect(await page.evaluate('window.mice')).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the keys are listed by ? and by the palette', bound, async () => {
    const { page, complaints } = await visit()
    await refuseMouse(page)
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Allow from now on').waitFor()
    await untilDialogHasFocus(page)
    await page.keyboard.press('Escape')
    await untilDialogIsGone(page)
    // Who writes writes a question mark.
    await page.keyboard.press('Control+k')
    await untilDialogHasFocus(page)
    await page.keyboard.type('shortcuts?')
    expect(await page.getByRole('combobox').inputValue()).toBe('shortcuts?')
    await page.keyboard.press('Backspace')
    await page.getByRole('option', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Enter')
    await list.getByText('Rename it').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('window.mice')).toBe(0)
    expect(complaints).toEqual([])
  })

  test('states are added, named, connected and deleted in the picture', bound, async () => {
    const { page, complaints } = await visit({ width: 1600, height: 1100, at: '/playground' })
    await refuseMouse(page)
    await page.locator('.code-editor .cm-content').waitFor()
    await tabTo(page, 'code-editor')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(start)
    const picture = page.locator('.editor-graph')
    await eventually(() => picture.locator('[data-ready=true] .state').count()).toBe(2)
    const before = await textOf(page)
    expect(before).toBe(start)
    await tabTo(page, /^State planning/)
    await page.keyboard.press('a')
    await page.getByLabel('Name of the state').waitFor()
    await page.keyboard.type('reviewing')
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toBe('State reviewing')
    expect(await textOf(page)).toContain('reviewing')
    // Back to the start by the arrows, from there to the new one.
    for (let step = 0; step < 20 && (await focused(page)) !== 'State planning'; step++) {
      await page.keyboard.press('ArrowUp')
    }
    await page.keyboard.press('c')
    await page.getByText('Connect planning:').waitFor()
    for (let step = 0; step < 20 && (await focused(page)) !== 'State reviewing'; step++) {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the event').waitFor()
    await page.keyboard.type('ASK')
    await page.keyboard.press('Enter')
    await picture.locator('.way-label', { hasText: 'ASK' }).waitFor()
    await eventually(() => focused(page)).toBe('State planning')
    expect(await textOf(page)).toContain('ASK: reviewing')
    for (let step = 0; step < 20 && (await focused(page)) !== 'State reviewing'; step++) {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('F2')
    await page.getByLabel('Name of the state').waitFor()
    await page.keyboard.type('asking')
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toBe('State asking')
    await page.keyboard.press('Delete')
    await picture.locator('[data-id="asking"]').waitFor({ state: 'detached' })
    expect(await textOf(page)).not.toContain('ASK')
    await eventually(() => focused(page)).toMatch(/^State /)
    for (let step = 0; step < 20 && (await textOf(page)) !== before; step++) {
      await page.keyboard.press('Control+z')
    }
    expect(await textOf(page)).toBe(before)
    expect(await page.evaluate('window.mice')).toBe(0)
    expect(complaints).toEqual([])
  })
})
