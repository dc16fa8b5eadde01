import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)

/** Whether all of its text is on screen: not cut off, not scrolled out, on one line. */
async function isWholeLine(part: Locator): Promise<boolean> {
  // biome-ignore lint/suspicious/noExplicitAny: the compiler of the tests knows no pages.
  return part.evaluate((element: any) => {
    const text = element.ownerDocument.createRange()
    text.selectNodeContents(element)
    const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)))
    let box = text.getBoundingClientRect()
    const { left, right } = box
    for (let frame = element; frame !== null; frame = frame.parentElement) {
      box = frame.getBoundingClientRect()
      if (left < box.left - 1 || right > box.right + 1) return false
    }
    return lines.size === 1
  })
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function isOver(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x + 1 || other.x + other.width <= one.x + 1
  const isAbove = one.y + one.height <= other.y + 1 || other.y + other.height <= one.y + 1
  return !isBeside && !isAbove
}

describe('on a narrow screen', () => {
  test('the calls that were stopped are told with run and time', bound, async () => {
    const { page } = await visit({ width: 390, height: 844, at: '/settings' })
    const row = page.locator('.stopped-calls tr', { hasText: 'tool_not_allowed' }).first()
    await row.waitFor()
    for (const part of ['td:first-child', 'td:nth-child(3)', 'td:last-child']) {
      expect([part, await isWholeLine(row.locator(part))]).toEqual([part, true])
    }
  })

  test('a token can be revoked', bound, async () => {
    const { page } = await visit({ width: 390, height: 844, at: '/settings' })
    const row = page.locator('.tokens tr', { has: page.getByRole('button', { name: /^Revoke/ }) })
    await row.first().waitFor()
    for (const part of ['td:first-child', 'td:nth-child(4)', 'button']) {
      expect([part, await isWholeLine(row.first().locator(part))]).toEqual([part, true])
    }
  })

  test('a run is told by its whole short id, and no words cover others', bound, async () => {
    for (const width of [1440, 1024, 390]) {
      const { page } = await visit({ width, at: '/runs' })
      const row = page.locator(`[data-run="${story.forked}"]`)
      await row.waitFor()
      expect([width, await isWholeLine(row.locator('.run-name .mono'))]).toEqual([width, true])
      const boxes = await Promise.all(
        (await row.locator('> *').all()).map((part) => part.boundingBox()),
      )
      const shown = boxes.filter((box) => box !== null)
      const covered = shown.filter((one, at) => shown.slice(at + 1).some((two) => isOver(one, two)))
      expect([width, covered]).toEqual([width, []])
      await page.context().close()
    }
  })

  test('the text of a chart can be read, and days stand on its axis', bound, async () => {
    for (const width of [1440, 1024, 390]) {
      const { page } = await visit({ width, at: '/activity?span=three_days' })
      const figure = page.getByRole('figure', { name: /Calls, by what was decided/ })
      await figure.locator('.chart-text').first().waitFor()
      const text = figure.locator('.chart-text').first()
      // biome-ignore lint/suspicious/noExplicitAny: the compiler of the tests knows no pages.
      const size = await text.evaluate((element: any) => {
        const { fontSize } = element.ownerDocument.defaultView.getComputedStyle(element)
        return Number.parseFloat(fontSize) * element.getScreenCTM().a
      })
      expect([width, size >= 11 && size <= 14]).toEqual([width, true])
      const words = await figure.locator('.chart-text.middle').allTextContents()
      expect(words.filter((word) => /^\d+ [A-Z][a-z]+$/.test(word)).length).toBeGreaterThan(1)
      await page.context().close()
    }
  })
})

describe('while the server is away', () => {
  test('a run does not say where it is now, and offers nothing to do', bound, async () => {
    const { page } = await visit({ at: `/runs/${story.interrupted}` })
    const diagram = page.getByRole('region', { name: 'States' })
    await diagram.getByText('now', { exact: true }).waitFor()
    const pause = page.getByRole('button', { name: 'Pause', exact: true }).first()
    await eventually(() => pause.isEnabled()).toBe(true)
    await world.restart(async () => {
      await diagram.getByText('last known', { exact: true }).waitFor()
      for (const name of ['Pause', 'Stop', 'Force…']) {
        const button = page.locator('main > * header').getByRole('button', { name, exact: true })
        expect([name, await button.first().isDisabled()]).toEqual([name, true])
      }
    })
    await diagram.getByText('now', { exact: true }).waitFor()
  })
})
