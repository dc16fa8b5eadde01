import type { Page } from 'playwright-core'
import { launchBrowser, visit } from '../packages/server/testing/dashboard/browser.ts'
import { copyRuns, repeatEntry } from '../packages/server/testing/dashboard/many.ts'
import { DashboardWorld } from '../packages/server/testing/dashboard/world.ts'
import { type BenchResult, quantile } from './measure.ts'

const sizes = { states: 200, entries: 20_000, runs: 5000, approvals: 200 }

/**
 * The dashboard at size in a real browser: how long the slowest key or click took until its
 * answer was on screen, as the browser tells it (to 8 ms), and how long frames took in scrolling.
 */
export async function benchDashboard(): Promise<BenchResult> {
  const world = await DashboardWorld.open()
  const browser = await launchBrowser()
  try {
    const long = await fill(world)
    const { page } = await visit(browser, world.login())
    const measures = {
      approvals: await approvals(page, world),
      runs: await runs(page, world),
      entries: await entries(page, world, long),
      states: await states(page, world),
    }
    const named = Object.entries(measures).flatMap(([page, figures]) =>
      Object.entries(figures).map(([figure, value]) => [`${page}_${figure}`, value] as const),
    )
    const slowest = Math.max(...Object.values(measures).map(({ interaction_ms }) => interaction_ms))
    const more = Object.fromEntries(named)
    return { name: 'dashboard', value: slowest, unit: 'ms', target: '<= 100', more }
  } finally {
    await browser.close()
    await world.close()
  }
}

/** Everything at its size; the id of the run with the long history. */
async function fill(world: DashboardWorld): Promise<string> {
  const names = Array.from({ length: sizes.states }, (_, index) => `step_${index}`)
  const steps = names.map((name, index) => {
    const isLast = index === names.length - 1
    return [name, isLast ? { type: 'final' } : { on: { NEXT: `step_${index + 1}` } }] as const
  })
  const long = { id: 'long', initial: 'step_0', states: Object.fromEntries(steps) }
  await world.person('PUT', '/api/workflows/long', long)
  const run = await world.run('bugfix')
  await world.check(run, 'Read', { file_path: 'a.ts' })
  await world.move(run, 'FOUND', { cause: 'line 42' })
  await repeatEntry(world, run, sizes.entries)
  await copyRuns(world, sizes.runs)
  for (let index = 0; index < sizes.approvals / 20; index++) {
    const asking = await world.run('deploy')
    const commands = Array.from({ length: 20 }, (_, at) => `npm run job-${index}-${at}`)
    await Promise.all(commands.map((command) => world.check(asking, 'Bash', { command })))
  }
  return run
}

interface Figures {
  readonly load_ms: number
  readonly requests: number
  readonly interaction_ms: number
  readonly frame_p95_ms: number
}

interface Look {
  readonly page: Page
  readonly url: string
  /** Waits until all of it is there. */
  readonly ready: () => Promise<void>
  readonly interact: () => Promise<void>
  /** What is scrolled, by its selector. */
  readonly scrolled: string
}

async function measured(look: Look): Promise<Figures> {
  const { page, url, ready, interact, scrolled } = look
  let requests = 0
  const count = () => {
    requests++
  }
  page.on('request', count)
  const before = performance.now()
  await page.goto(url)
  await ready()
  const load = performance.now() - before
  page.off('request', count)
  await page.evaluate(watchEvents)
  await interact()
  await page.waitForTimeout(200)
  const slowest = Number(await page.evaluate('window.slowest ?? 0'))
  // What was typed may still lead to another list.
  await page.waitForTimeout(1000)
  const frames = await scroll(page, scrolled)
  return {
    load_ms: Math.round(load),
    requests,
    interaction_ms: slowest,
    frame_p95_ms: Number(quantile(frames, 0.95).toFixed(1)),
  }
}

/** The browser's own measure from a key or click to the frame that shows what came of it. */
const watchEvents = `
  window.slowest = 0
  new PerformanceObserver((list) => {
    const durations = list.getEntries().map(({ duration }) => duration)
    window.slowest = Math.max(window.slowest, ...durations)
  }).observe({ type: 'event', durationThreshold: 16, buffered: false })
`

/**
 * Milliseconds of each frame in two seconds of scrolling down and up. The locator finds the part:
 * the text of the editor stands in a shadow, which the document does not look into.
 */
async function scroll(page: Page, selector: string): Promise<readonly number[]> {
  const { frames, furthest } = await page.locator(selector).first().evaluate(scrollThere)
  if (furthest === 0) throw new Error(`${selector} does not scroll`)
  return frames
}

/** Runs in the page. */
async function scrollThere(part: {
  readonly scrollTop: number
  scrollBy(x: number, y: number): void
}): Promise<{ frames: number[]; furthest: number }> {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const frames: number[] = []
  let furthest = 0
  let last = await frame()
  for (let at = 0; at < 120; at++) {
    part.scrollBy(0, at < 60 ? 120 : -120)
    furthest = Math.max(furthest, part.scrollTop)
    const now = await frame()
    frames.push(now - last)
    last = now
  }
  return { frames, furthest }
}

/** Of the browser, in which the function above runs. */
declare function requestAnimationFrame(callback: (now: number) => void): number

async function press(page: Page, key: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await page.keyboard.press(key)
    await page.waitForTimeout(60)
  }
}

/** Far along a list by one key, and some of the way back by the other. */
async function walk(page: Page, on: string, back: string): Promise<void> {
  await press(page, on, 15)
  await press(page, back, 5)
}

function approvals(page: Page, world: DashboardWorld): Promise<Figures> {
  const cards = page.getByRole('list', { name: 'Waiting for a decision' }).locator('> li')
  return measured({
    page,
    url: world.url,
    ready: () => cards.nth(49).waitFor(),
    interact: () => walk(page, 'j', 'k'),
    scrolled: 'main',
  })
}

function runs(page: Page, world: DashboardWorld): Promise<Figures> {
  return measured({
    page,
    url: `${world.url}/runs`,
    ready: () => page.locator('.run-frame li').first().waitFor(),
    interact: async () => {
      await page.getByRole('searchbox').first().pressSequentially('npm run', { delay: 60 })
      await page.getByRole('searchbox').first().fill('')
      await page.locator('.run-frame li').nth(5).waitFor()
    },
    scrolled: '.run-frame',
  })
}

function entries(page: Page, world: DashboardWorld, run: string): Promise<Figures> {
  return measured({
    page,
    url: `${world.url}/runs/${run}`,
    ready: async () => {
      await page.locator('.state.is-current').getByText('fixing').waitFor()
      await page
        .getByRole('button', { name: /tool_\d allowed/ })
        .first()
        .waitFor()
    },
    interact: () => walk(page, 'k', 'j'),
    scrolled: '.timeline-frame',
  })
}

function states(page: Page, world: DashboardWorld): Promise<Figures> {
  return measured({
    page,
    url: `${world.url}/workflows/long/edit`,
    ready: () => page.locator('.editor-graph .state').first().waitFor(),
    interact: async () => {
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('\n# a note', { delay: 60 })
      await press(page, 'Control+z', 3)
    },
    scrolled: '.cm-scroller',
  })
}
