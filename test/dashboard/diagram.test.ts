import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { tellStory } from '../../packages/server/testing/dashboard/story.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const story = await tellStory(world)

interface Box {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly isInitial: boolean
}

/** Where states stand in the layout, however it is moved on screen. */
async function layoutOf(page: Page): Promise<readonly Box[]> {
  await page.locator('[data-ready=true] .state.initial').waitFor()
  // What the page computes is its own; here only the shape is said.
  return (await page.evaluate(`[...document.querySelectorAll('.react-flow__node')].map((node) => {
    const at = new DOMMatrix(getComputedStyle(node).transform)
    const isInitial = node.querySelector('.initial') !== null
    return { id: node.dataset.id, x: at.e, y: at.f, isInitial }
  })`)) as readonly Box[]
}

/** The smallest text that the picture shows, in pixels of the screen. */
async function smallestText(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`Math.min(...[...document.querySelectorAll(
      '.diagram .state-name, .diagram .state-note, .diagram .way-label')]
      .filter((part) => part.offsetHeight > 0 && part.innerText !== '').map((part) => {
      const shown = part.getBoundingClientRect().height / part.offsetHeight
      return Number.parseFloat(getComputedStyle(part).fontSize) * shown
    }))`),
  )
}

describe('the diagram', () => {
  test('begins with the initial state, also where ways lead back', bound, async () => {
    const { page } = await visit()
    for (const name of ['bugfix', 'tdd-feature', 'incident-response']) {
      await page.goto(`${world.url}/playground?template=${name}`)
      const boxes = await layoutOf(page)
      const first = boxes.find(({ isInitial }) => isInitial)
      const before = boxes.filter(
        ({ x, y }) => first !== undefined && x < first.x - 1 && y < first.y + 1,
      )
      expect([name, before.map(({ id }) => id)]).toEqual([name, []])
    }
  })

  test('marks branches and joins as walked, and where calls were denied', bound, async () => {
    const run = await world.run('review')
    await world.move(run, 'SPLIT')
    const { page, complaints } = await visit({ at: `/runs/${run}` })
    const walked = page.locator('.react-flow__edge-path.is-walked')
    await eventually(() => walked.count()).toBe(2)
    await world.check(run, 'Write', { file_path: 'a', content: 'b' })
    await page.locator('.state', { hasText: '1 denied' }).waitFor()
    await world.move(run, 'CHECKED', {}, 'security')
    await world.move(run, 'CHECKED', {}, 'style')
    await page.locator('.state.is-current').getByText('summing_up').waitFor()
    // Two into the branches, two through them, and two that join.
    await eventually(() => walked.count()).toBe(6)
    expect(complaints).toEqual([])
  })

  test('can be read on a desk and a phone, and shows where the run stands', bound, async () => {
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      const { page } = await visit({ width, height })
      for (const run of [story.interrupted, story.forked, story.done]) {
        await page.goto(`${world.url}/runs/${run}`)
        await page.locator('.state.is-current').first().waitFor()
        await eventually(() => smallestText(page)).toBeGreaterThanOrEqual(10.99)
        await eventually(() => isInFrame(page)).toBe(true)
        expect([width, await covered(page)]).toEqual([width, []])
        // At rest as well: every arrow with its words.
        const ways = page
          .getByRole('list', { name: 'States and transitions' })
          .getByRole('listitem')
        const count = await ways.count()
        await eventually(() => page.locator('.react-flow__edge-path').count()).toBe(count)
        expect(await page.locator('.way-label').count()).toBe(count)
      }
      await page.context().close()
    }
  })

  test('of 200 states follows the run until somebody looks elsewhere', bound, async () => {
    const names = Array.from({ length: 200 }, (_, index) => `step_${index}`)
    const states = Object.fromEntries(
      names.map((name, index) => [
        name,
        index === 199 ? { type: 'final' } : { on: { NEXT: `step_${index + 1}` } },
      ]),
    )
    await world.person('PUT', '/api/workflows/long', { id: 'long', initial: 'step_0', states })
    const run = await world.run('long')
    const { page } = await visit({ at: `/runs/${run}` })
    await page.getByLabel('Overview').waitFor()
    await eventually(() => isInFrame(page)).toBe(true)
    for (let step = 0; step < 30; step++) await world.move(run, 'NEXT')
    await page.locator('.state.is-current').getByText('step_30', { exact: true }).waitFor()
    await eventually(() => isInFrame(page)).toBe(true)
    expect(await smallestText(page)).toBeGreaterThanOrEqual(10.99)
    await page.getByRole('button', { name: 'Full screen', exact: true }).click()
    await eventually(() => page.locator('.diagram').boundingBox()).toMatchObject({ width: 1440 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
  })
})

/**
 * What stands under the buttons of the diagram, and which current states under its overview. Of
 * what reaches out of the picture, only that counts which is drawn.
 */
function covered(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const box = (part) => part.getBoundingClientRect()
    const frame = box(document.querySelector('.diagram .react-flow'))
    const isUnder = (part, cover) => {
      const [one, other] = [box(part), box(cover)]
      const left = Math.max(one.left, other.left, frame.left)
      const top = Math.max(one.top, other.top, frame.top)
      const right = Math.min(one.right, other.right, frame.right)
      return right > left && Math.min(one.bottom, other.bottom, frame.bottom) > top
    }
    const under = (parts, covers) => [...document.querySelectorAll(parts)].filter((part) =>
      [...document.querySelectorAll(covers)].some((cover) => isUnder(part, cover)))
    return [
      ...under('.state, .way-label', '.diagram .tool-group'),
      ...under('.state.is-current', '.react-flow__minimap'),
    ].map((part) => part.innerText)
  })()`)
}

/** Whether the state in which the run stands is wholly on screen. */
function isInFrame(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const frame = document.querySelector('.diagram .react-flow').getBoundingClientRect()
    const box = document.querySelector('.state.is-current').getBoundingClientRect()
    return box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
      box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
  })()`)
}
