import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Serious findings of axe on a page as it stands, in words that say where. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  // What axe promises of its result, as far as it is looked at.
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
}
