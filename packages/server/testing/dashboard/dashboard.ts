import type { Browser } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { launchBrowser, type VisitOptions, type Visitor, visit } from './browser.ts'
import { DashboardWorld } from './world.ts'

export interface Dashboard {
  readonly world: DashboardWorld
  readonly browser: Browser
  /** Somebody of a test, gone with it: a person of tests, or whom the link is for. */
  visit(options?: VisitOptions & { readonly login?: string }): Promise<Visitor>
}

/** A world with a browser on its pages, for the tests of one file. */
export async function openDashboard(
  ...settings: Parameters<typeof DashboardWorld.open>
): Promise<Dashboard> {
  const [world, browser] = await Promise.all([DashboardWorld.open(...settings), launchBrowser()])
  afterAll(async () => {
    await browser.close()
    await world.close()
  })
  return {
    world,
    browser,
    async visit({ login = world.login(), ...options } = {}) {
      const visitor = await visit(browser, login, options)
      onTestFinished(() => visitor.context.close())
      return visitor
    },
  }
}
