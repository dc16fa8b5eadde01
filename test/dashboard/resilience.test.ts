import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  apiRequests,
  eventually,
  holdAnswers,
  watch,
} from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { copyRuns, repeatEntry } from '../../packages/server/testing/dashboard/many.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

const live = (page: Page) => page.getByRole('status').filter({ hasText: /^Live$/ })
const lost = (page: Page) => page.getByRole('status').filter({ hasText: 'Not live' })

/** The numbers of the entries that the page shows, in their order. */
async function shownLines(page: Page): Promise<number[]> {
  return page.locator('.timeline li').evaluateAll((lines) =>
    // biome-ignore lint/suspicious/noExplicitAny: the compiler of the tests knows no pages.
    lines.map((line: any) => Number(line.dataset.index)),
  )
}

describe('a page that stays open', () => {
  test('goes on after the server was restarted, without a gap or a double', bound, async () => {
    const run = await world.run('review')
    const { page, complaints } = await visit({ at: `/runs/${run}` })
    await page.getByText('Started in reading').waitFor()
    await live(page).waitFor()
    await world.check(run, 'Read', { file_path: 'a.ts' })
    await page.locator('.timeline li').nth(1).waitFor()
    await world.restart(async () => {
      await lost(page).waitFor()
    })
    // Said before the page is back, so that only resuming can bring it.
    await world.check(run, 'Grep', { pattern: 'a' })
    await live(page).waitFor()
    await page.getByText('Grep allowed').waitFor()
    await world.check(run, 'Glob', { pattern: '*.ts' })
    await page.getByText('Glob allowed').waitFor()
    await eventually(() => shownLines(page)).toEqual([0, 1, 2, 3])
    expect(complaints.filter((text) => !text.includes('ERR_CONNECTION'))).toEqual([])
  })

  test('shares one connection with the other tabs, and takes it over', bound, async () => {
    const run = await world.run('review')
    const { page, context } = await visit()
    let feeds = 0
    context.on('request', (request) => {
      if (request.url().includes('/api/feed')) feeds += 1
    })
    const tabs = [page]
    for (let more = 0; more < 3; more++) {
      const tab = await context.newPage()
      watch(tab)
      await tab.goto(`${world.url}/runs/${run}`)
      await tab.getByText('Started in reading').waitFor()
      await live(tab).waitFor()
      tabs.push(tab)
    }
    expect(feeds).toBe(0)
    await page.close()
    await world.check(run, 'Read', { file_path: 'a.ts' })
    for (const tab of tabs.slice(1)) {
      await tab.getByText('Read allowed').waitFor()
      await eventually(() => shownLines(tab)).toEqual([0, 1])
    }
    expect(feeds).toBe(1)
  })
})

describe('words of an agent', () => {
  const script = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
  const bidi = 'rm -rf / \u202e txt.exe'
  const long = 'x'.repeat(3000)

  test('run nowhere, hide nothing and break no layout', bound, async () => {
    const definition = {
      id: 'hostile',
      initial: script.slice(0, 60),
      states: {
        [script.slice(0, 60)]: {
          on: {
            [`GO ${script.slice(0, 40)}`]: {
              target: 'end',
              requires_approval: true,
              approval_message: `${script} ${bidi} ${long}`,
            },
          },
        },
        end: { type: 'final' },
      },
      policy: { ask: [{ capability: 'bash' }], default: 'allow' },
      meta: { approval_mode: 'ui', description: script },
    }
    const saved = await world.person('PUT', '/api/workflows/hostile', definition)
    expect(saved.findings).toEqual([])
    const run = await world.run('hostile', { [script]: script, [long]: long, __proto__: null })
    await world.check(run, `Tool ${script}`, { [script]: bidi, more: long })
    await world.check(run, 'Bash', { command: `echo ${script} ${bidi} ${long}` })
    await world.move(run, `GO ${script.slice(0, 40)}`, { [script]: { deep: [bidi, long] } })
    for (const width of [1440, 390]) {
      const { page, complaints } = await visit({ width })
      for (const path of ['/', '/runs', `/runs/${run}`, `/runs/${run}?at=2`, '/workflows']) {
        await page.goto(world.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page
          .getByText(/hostile|<img/)
          .locator('visible=true')
          .first()
          .waitFor()
        for (const head of await page.locator('.inbox-head').all()) await head.click()
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([path, width, wide]).toEqual([path, width, 0])
        expect(await page.evaluate('window.hacked')).toBe(undefined)
        expect(await page.locator('img[src=x]').count()).toBe(0)
        expect(await page.locator('main').innerText()).not.toContain('\u202e')
      }
      expect(complaints).toEqual([])
    }
  })
})

describe('many', () => {
  test('of 20,900 entries the newest are shown, and the state they lead to', bound, async () => {
    const run = await world.run('bugfix')
    await world.check(run, 'Read', { file_path: 'src/a.ts' })
    await world.move(run, 'FOUND', { cause: 'line 42' })
    await repeatEntry(world, run, 20_900)
    const { page } = await visit()
    const asked = await apiRequests(page)
    await page.goto(`${world.url}/runs/${run}`)
    await page.locator('.state.is-current').getByText('fixing').waitFor()
    await page.getByRole('button', { name: /planning → fixing/ }).waitFor()
    await page.getByText('newest 20000 of 20903; the export has all').waitFor()
    // The newest at once, and the others in a few large answers.
    expect(asked.filter((path) => path.includes('/entries?'))).toHaveLength(5)
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(13)
    // Of so many only those on screen exist.
    const calls = page.getByRole('button', { name: /tool_\d allowed/ })
    await eventually(() => calls.count()).toBeGreaterThan(3)
    expect(await calls.count()).toBeLessThan(80)
    // One of them can be read, though nothing can be replayed.
    await calls.last().click()
    const details = page.getByRole('region', { name: 'Selected entry' })
    await details
      .getByText(/^tool_\d allowed/)
      .first()
      .waitFor()
  })

  test('of a long run the newest entries do not wait for the older ones', bound, async () => {
    const run = await world.run('bugfix')
    await world.check(run, 'Read', { file_path: 'src/a.ts' })
    await world.move(run, 'FOUND', { cause: 'line 42' })
    await repeatEntry(world, run, 3000)
    const { page } = await visit()
    const asked = await apiRequests(page)
    const letThrough = await holdAnswers(page, /entries\?after/)
    await page.goto(`${world.url}/runs/${run}`)
    await page.locator('.state.is-current').getByText('fixing').waitFor()
    await page.getByRole('button', { name: /planning → fixing/ }).waitFor()
    await page.getByText('newest 1000 of 3003; reading the others…').waitFor()
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(10)
    letThrough()
    await page.getByRole('region', { name: 'History' }).getByText('3003', { exact: true }).waitFor()
    // With all of them every moment can be shown, also one that was linked to.
    await page.goto(`${world.url}/runs/${run}?at=3`)
    const entry = page.getByRole('region', { name: 'Selected entry' })
    await entry.getByRole('heading', { name: /tool_1 allowed/ }).waitFor()
    await world.check(run, 'Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' })
    await page.getByRole('region', { name: 'History' }).getByText('3004', { exact: true }).waitFor()
  })

  test('ten thousand runs scroll, and only those on screen exist', bound, async () => {
    await world.run('review')
    await copyRuns(world, 10_000)
    const { page } = await visit({ at: '/runs' })
    const lines = page.locator('.run-frame li')
    await lines.first().waitFor()
    const few = await addedByScrolling(page)
    while ((await page.getByText('and more').count()) > 0) {
      await page.evaluate("document.querySelector('.run-frame').scrollTop = 1e9")
      await page.waitForTimeout(50)
    }
    await page.evaluate("document.querySelector('.run-frame').scrollTop = 1e9")
    await page.getByText('run-copy-1', { exact: true }).waitFor()
    await eventually(() => lines.count()).toBeLessThan(80)
    // Work, not time: the machine may be busy.
    expect(await addedByScrolling(page)).toBeLessThan(few * 3 + 30)
  })
})

/** How many elements the page makes to show other rows, in some rounds there and back. */
async function addedByScrolling(page: Page): Promise<number> {
  const added = await page.evaluate(`(async () => {
    const frame = document.querySelector('.run-frame')
    let added = 0
    const count = (changes) => {
      for (const { addedNodes } of changes) added += addedNodes.length
    }
    const watch = new MutationObserver(count)
    watch.observe(frame, { childList: true, subtree: true })
    for (let round = 0; round < 20; round++) {
      frame.scrollTop += round % 2 === 0 ? -900 : 900
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    count(watch.takeRecords())
    watch.disconnect()
    return added
  })()`)
  return Number(added)
}
