import { describe, expect, test } from 'vitest'
import { eventually, holdAnswers } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

describe('a page whose file did not come', () => {
  test('breaks no other page, and heals when the file is there again', bound, async () => {
    const { page } = await visit({ at: '/runs' })
    await page.route(/assets\/activity-page.*/, (route) => route.abort())
    const links = page.getByRole('navigation', { name: 'Pages' })
    await links.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await links.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await links.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(/assets\/activity-page.*/)
    // It also tries by itself, and then the button is gone.
    await page
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: 3000 })
      .catch(() => undefined)
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
  })

  test('is not loaded again and again while it does not come', bound, async () => {
    const { page } = await visit()
    await page.route(/assets\/activity-page.*/, (route) => route.abort())
    const goLive = await holdAnswers(page, /\/api\/feed/)
    let loads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++
    })
    await page.goto(`${world.url}/activity`)
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    goLive()
    // A server that is heard for the first time was not away.
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(loads).toBe(1)
  })

  test('is loaded by itself once the server is back', bound, async () => {
    const { page } = await visit({ at: '/runs' })
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await world.restart(async () => {
      await page.getByRole('status').filter({ hasText: 'Not live' }).waitFor()
      // Nothing is known of a server that is away.
      await page.getByText('enforcing').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    })
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
    await page.getByText('enforcing').waitFor()
  })
})

describe('a page that was open while the server was updated', () => {
  test('says so, keeps what is typed, and offers to reload', bound, async () => {
    const { page } = await visit({ at: '/memory' })
    await page.getByLabel('Project').fill('/home/ann/sh')
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    const untilLost = async () => {
      await page.getByRole('status').filter({ hasText: 'Not live' }).waitFor()
    }
    const newer = page.getByText('A newer version of Statewright runs here.')
    // The same version that is back is no news.
    const compared = page.waitForResponse(`${world.url}/`)
    await world.restart(untilLost)
    await compared
    await page.route(`${world.url}/`, async (route) => {
      const response = await route.fetch().catch(() => undefined)
      // It is asked again when the server is back.
      if (response === undefined) return route.abort()
      const body = (await response.text()).replace(/index-[\w-]+\.js/, 'index-newer.js')
      await route.fulfill({ response, body })
    })
    expect(await newer.count()).toBe(0)
    await world.restart(untilLost)
    await newer.waitFor()
    expect(await page.getByLabel('Project').inputValue()).toBe('/home/ann/sh')
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await newer.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Memory and tasks', level: 1 }).waitFor()
  })
})

describe('a login that is over', () => {
  test('is said in words, on whatever page it is noticed', bound, async () => {
    const { page, context } = await visit({ at: '/runs' })
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await context.clearCookies()
    // Whatever asks next notices it: the click, or an answer that was still on its way.
    await page
      .getByRole('link', { name: 'Workflows' })
      .click({ timeout: 3000 })
      .catch(() => undefined)
    // Who was never told who they are cannot be told that it is over.
    await page.getByRole('heading', { name: /login has expired|not logged in/ }).waitFor()
    await eventually(() => page.locator('body').innerText()).not.toContain('Bearer')
  })

  test('is noticed while an older answer to who I am is on its way', bound, async () => {
    const { page, context } = await visit()
    // Nothing but the click below asks again.
    await page.route(/\/api\/(feed|trust|config|usage)/, (route) => route.abort())
    const [answered, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/\/api\/me$/, async (route) => {
      const response = await route.fetch()
      answered.resolve()
      await told.promise
      await route.fulfill({ response })
    })
    await page.goto(`${world.url}/runs`)
    await answered.promise
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await context.clearCookies()
    const refused = page.waitForResponse((answer) => answer.status() === 401)
    await page.getByRole('link', { name: 'Policies' }).click()
    await refused
    told.resolve()
    await page.getByRole('heading', { name: /login has expired|not logged in/ }).waitFor()
  })
})

describe('people who go astray', () => {
  test('read words and not JSON, and find a way on', bound, async () => {
    const { page } = await visit()
    const answer = await page.goto(`${world.url}/nope/at/all`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: /nothing here|not found/i }).waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const docs = await page.goto(`${world.url}/docs/nope`)
    expect(docs?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    // A link that was looked at by others still works; one that was used says so in words.
    const link = world.personLogin()
    await fetch(link)
    await page.goto(link)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    await page.goto(link)
    await page.getByText('This link was already used').waitFor()
    // Programs are answered as ever.
    expect(await world.agent('GET', '/nope')).toMatchObject({ code: 'not_found' })
  })

  test('by an unknown run or workflow are told so, and nothing waits for ever', bound, async () => {
    const { page } = await visit({ at: '/runs/run_nope' })
    await page.getByRole('heading', { name: 'There is no such run' }).waitFor()
    expect(await page.getByText('Reading the history').count()).toBe(0)
    await page.goto(`${world.url}/workflows/nope`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('link', { name: 'Open in the editor' }).count()).toBe(0)
    await page.goto(`${world.url}/activity?span=3d`)
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
    await eventually(() => page.getByRole('alert').count()).toBe(0)
  })
})

describe('what people begin with', () => {
  test(
    'has its natural size: the button of an empty list, the text of a policy',
    bound,
    async () => {
      const { page } = await visit({ at: '/runs' })
      const demo = page.getByRole('button', { name: 'Play the demo' })
      await demo.waitFor()
      await eventually(async () => (await demo.boundingBox())?.height ?? 0).toBeLessThan(60)
      await page.goto(`${world.url}/policies`)
      await page.getByRole('button', { name: 'New policy' }).first().click()
      const text = page.locator('.policy-text')
      await eventually(async () => (await text.boundingBox())?.height ?? 0).toBeGreaterThan(180)
    },
  )

  test('a command that deletes is not offered as a rule', bound, async () => {
    const run = await world.run('bugfix')
    await world.check(run, 'Bash', { command: 'rm -rf dist' })
    const { page } = await visit({ at: `/runs/${run}?at=2` })
    const details = page.getByRole('region', { name: 'Selected entry' })
    await details.getByRole('heading', { name: 'Keep it denied' }).waitFor()
    expect(await details.locator('.button.primary').count()).toBe(0)
    await details.getByText('Allow it anyway').waitFor()
  })
})
