import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The rules that look at colours: a theme changes nothing else of a page. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** All findings of axe on a page as it stands, in words that say where, in both themes. */
export async function axeFindings(page: Page): Promise<string[]> {
  const light = await lightFindings(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findings(page, `axe.run({ runOnly: ${JSON.stringify(colourRules)} })`)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((finding) => `in the dark, ${finding}`)]
}

export function lightFindings(page: Page): Promise<string[]> {
  return findings(page, 'axe.run()')
}

async function findings(page: Page, run: string): Promise<string[]> {
  await page.evaluate(axe)
  // What axe promises of its result, as far as it is looked at.
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  )
}
