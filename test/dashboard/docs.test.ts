import { expect, test } from 'vitest'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const { world, visit } = await openDashboard()

/** Runs in the page. */
const widthOfFirst = `(async () => {
  const image = document.querySelector('main img')
  await image.decode()
  return image.naturalWidth
})()`

test('a button copies a block, and of a terminal only what is typed', async () => {
  const { page, context, complaints } = await visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${world.url}/docs/interrupts`)
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  const block = (text: string) => page.locator('.block').filter({ hasText: text })

  await block('file: guarded.yaml').getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await copied()).toMatch(/^# file: guarded\.yaml\nid: guarded\n/)

  await block('1 played').getByRole('button', { name: 'Copy' }).click()
  await expect.poll(copied).toBe('statewright workflow test guarded.scenarios.yaml')
  expect(complaints).toEqual([])
})

test('a drawing of the guide is drawn, in both themes', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const { page, complaints } = await visit({ theme })
    await page.goto(`${world.url}/docs/concepts`)
    const width = await page.evaluate<number>(widthOfFirst)
    expect(width).toBeGreaterThan(300)
    expect(complaints).toEqual([])
  }
})

test('pages of the docs are set in the font of the dashboard, which a browser keeps', async () => {
  const { page, complaints } = await visit()
  await page.goto(`${world.url}/docs`)
  const isLoaded =
    'document.fonts.ready.then(() => document.fonts.check(\'15px "Inter Variable"\'))'
  expect(await page.evaluate(isLoaded)).toBe(true)
  const font = await page.request.get(`${world.url}/font.woff2`)
  expect([font.status(), font.headers()['content-type']]).toEqual([200, 'font/woff2'])
  const { etag = '' } = font.headers()
  const again = await page.request.get(`${world.url}/font.woff2`, {
    headers: { 'if-none-match': etag },
  })
  expect(again.status()).toBe(304)
  expect(complaints).toEqual([])
})

/** Runs in the page. */
const tooWide = `[...document.querySelectorAll('main table')]
  .filter((table) => table.scrollWidth > table.clientWidth + 1)
  .map((table) => table.textContent.slice(0, 40))`

test('on a phone every table is read without scrolling sideways', async () => {
  const { page } = await visit({ width: 390, height: 844 })
  for (const name of ['security', 'troubleshooting', 'clients', 'sessions', 'reference/workflow']) {
    await page.goto(`${world.url}/docs/${name}`)
    expect([name, await page.evaluate(tooWide)]).toEqual([name, []])
  }
})
