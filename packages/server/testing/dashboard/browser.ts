import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { addLag } from './lag.ts'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

// Tests run as root in containers, where the browser's own sandbox cannot be set up.
const flags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--force-color-profile=srgb',
]

/** A real browser: one of the machine's, else the one that comes with the packages. */
export async function launchBrowser(): Promise<Browser> {
  const own = installed.find((path) => existsSync(path))
  const executablePath = own ?? (await packagedBrowser())
  const args = own === undefined ? [...sparticuz.args.filter(keepsRules), ...flags] : flags
  return chromium.launch({ executablePath, args, headless: true, timeout: 60_000 })
}

const cache = join(import.meta.dirname, '../../../../node_modules/.cache/browser')

/**
 * Where the browser of the packages lies. It unpacks itself into the temporary folder, and whoever
 * comes meanwhile starts what is there so far: so it is moved to its place when all of it is there.
 */
async function packagedBrowser(): Promise<string> {
  const program = join(cache, 'chromium')
  if (existsSync(program)) return program
  mkdirSync(join(cache, '..'), { recursive: true })
  const folder = mkdtempSync(`${cache}-`)
  // The folder for temporary files belongs to all of this process, so another one unpacks it.
  const unpack = "await (await import('@sparticuz/chromium')).default.executablePath()"
  const env = { ...process.env, TMPDIR: folder }
  const where = { cwd: import.meta.dirname, env }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], where)
  try {
    renameSync(folder, cache)
  } catch (fault) {
    // Another worker was quicker.
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(program)) throw fault
  }
  return program
}

/**
 * The packaged browser comes without the rules of the web: no `Origin` on what a page sends, which
 * our server refuses, as it must.
 */
function keepsRules(flag: string): boolean {
  return !/web-security|insecure-content|site-isolation|single-process|incognito/.test(flag)
}

/** A bound for what does not come: a busy machine needs many times what a quiet one does. */
const patienceMs = 45_000

export interface VisitOptions {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** Chosen on the page of the link. */
  readonly pin?: string
  /** Whether a passkey is chosen there; the link must lead to a name. */
  readonly passkey?: true
  /** The page that is opened; left out, the first one. */
  readonly at?: string
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser complained of: scripts that broke, and what our content policy stopped. */
  readonly complaints: string[]
}

/** Somebody with a browser of their own, logged in by a fresh link, who may choose a PIN there. */
export async function visit(
  browser: Browser,
  loginUrl: string,
  options: VisitOptions = {},
): Promise<Visitor> {
  const { theme = 'light', width = 1440, height = 900 } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  })
  context.setDefaultTimeout(patienceMs)
  await addLag(context)
  const page = await context.newPage()
  const complaints = watch(page)
  if (options.passkey === true) await addAuthenticator(page)
  const { origin } = new URL(loginUrl)
  if (options.passkey === undefined && options.pin === undefined) {
    await followLink(context, loginUrl)
    await page.goto(origin + (options.at ?? '/'))
  } else {
    await page.goto(loginUrl)
    if (options.pin !== undefined) await page.locator('input[name=pin]').fill(options.pin)
    const button = options.passkey === true ? 'Choose a passkey' : 'Log in'
    await page.getByRole('button', { name: button }).click()
    await untilLive(page)
    if (options.at === undefined) return { context, page, complaints }
    await page.goto(origin + options.at)
  }
  await untilLive(page)
  return { context, page, complaints }
}

/** Sends what the page of a login link sends, without drawing it: most tests are about others. */
async function followLink(context: BrowserContext, loginUrl: string): Promise<void> {
  const headers = { origin: new URL(loginUrl).origin }
  const answer = await context.request.post(loginUrl, { headers, form: {}, maxRedirects: 0 })
  if (answer.status() !== 303) throw new Error(`${answer.status()} ${await answer.text()}`)
}

function untilLive(page: Page): Promise<void> {
  return page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
}

/**
 * What a page asks the API for from now on. Nothing of what it showed before is left: that could
 * still be asking, on a busy machine, and would be counted as well.
 */
export async function apiRequests(page: Page): Promise<readonly string[]> {
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname + search)
  })
  return asked
}

/** Gives a page a security key of its own, whose owner is always there. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/**
 * Keeps answers of the server back until the function is called: they were right when they left.
 * Streams have no whole answer; of them the request is kept back.
 */
export async function holdAnswers(page: Page, url: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (route.request().resourceType() === 'eventsource') {
      await held.promise
      await route.continue()
      return
    }
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response })
  })
  return held.resolve
}

/** What a page shows or a server says in the end; a look at once would see what was before. */
export function eventually<Seen>(look: () => Seen | Promise<Seen>) {
  return expect.poll(look, { timeout: patienceMs })
}

/** Waits until no dialog is open. While one is, the page beneath it is out of reach, not gone. */
export function untilDialogIsGone(page: Page): Promise<void> {
  // By its class: a notice calls itself a dialog as well.
  return page.locator('.dialog').waitFor({ state: 'detached' })
}

/** Waits until a dialog has the keyboard: it takes the focus a moment after it is drawn. */
export function untilDialogHasFocus(page: Page): Promise<void> {
  return page.locator('[role="dialog"]:focus-within').waitFor()
}

/** Collects what goes wrong in a page; a connection that breaks is no fault of the page. */
export function watch(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (fault) => complaints.push(String(fault)))
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().includes('Failed to load resource')) return
    complaints.push(message.text())
  })
  return complaints
}

/** How far the page and its main part scroll sideways: not at all, if nothing is too wide. */
export async function sidewaysPixels(page: Page): Promise<unknown> {
  return page.evaluate(
    `[document.documentElement, document.querySelector('main')].map(
      (part) => part.scrollWidth - part.clientWidth,
    )`,
  )
}
