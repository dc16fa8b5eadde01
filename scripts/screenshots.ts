// Makes the pictures of the dashboard in docs/images from a real server with real runs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { launchBrowser, visit } from '../packages/server/testing/dashboard/browser.ts'
import { talkedSession, tellMore, withPast } from '../packages/server/testing/dashboard/more.ts'
import { tellStory } from '../packages/server/testing/dashboard/story.ts'
import { DashboardWorld } from '../packages/server/testing/dashboard/world.ts'
import { smallPng } from './small-png.ts'

const repository = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = process.argv[2] ?? join(repository, 'docs', 'images')
const only = process.argv[3]
/** What the guide shows in one look alone. */
const shownOnce = new Set(['runs', 'settings', 'workflow'])

const sound = [
  {
    check: 'settings',
    status: 'ok',
    message: 'All Statewright entries are in ~/.claude/settings.json.',
  },
  { check: 'canary', status: 'ok', message: 'A forbidden call was denied.' },
]
const broken = {
  check: 'settings',
  status: 'broken',
  message: 'Missing or changed: hooks.BeforeTool in ~/shop/.gemini/settings.json.',
  next: 'run "statewright install gemini" again.',
}
const doctorReport = {
  ok: false,
  clients: [
    { client: 'claude-code', scope: 'user', url: 'http://127.0.0.1:4747', findings: sound },
    { client: 'gemini', scope: 'project', url: 'http://127.0.0.1:4747', findings: [broken] },
  ],
}

/** A workflow with something to prove, and something that is refuted. */
const release = `id: release
initial: working
context: { version: null }
meta: { description: Ship a version., approval_mode: ui }
states:
  working:
    allowed_tools: [Read, Edit]
    max_edit_lines: 40
    on:
      CHECK: checking
      HURRY: shipped        # for a hotfix
  checking:
    allowed_tools: [Read, Bash]
    allowed_commands: [npm test]
    on:
      PASSED: { target: shipping, guard: tests_green }
      FAILED: working
  shipping:
    allowed_tools: [Bash]
    allowed_commands: [npm publish]
    on:
      SHIPPED: { target: shipped, requires_approval: true }
  shipped: { type: final }
guards:
  tests_green: { evidence: tests }
evidence:
  tests: { tool: Bash, command: npm test, stale_after: ['**/*.ts'] }
`
const claims = `- name: a person agrees before it is shipped
  never: { enter: shipped }
  unless: { approval: true }`

const world = await DashboardWorld.open()
const browser = await launchBrowser()
try {
  const story = await tellStory(world)
  await world.person('PUT', '/api/clients/report', doctorReport)
  await tellMore(world)
  await withPast(world)
  await saveText('release', release)
  const shipping = await world.run('deploy', { version: '2.5.0' })
  const tail = 'curl -fsS -X POST https://hooks.example.com/deploys'
  const command = `npm run build && rm -rf dist/old && npm publish --tag next && ${tail}`
  const answer = await world.check(shipping, 'Bash', { command })
  const tour = await playedDemo()
  const session = await talkedSession(world)
  mkdirSync(folder, { recursive: true })
  const pages: readonly (readonly [name: string, path: string])[] = [
    ['approvals', `/?approval=${answer.approval_id}`],
    ['runs', '/runs'],
    ['run', `/runs/${story.interrupted}`],
    ['workflow', '/workflows/bugfix'],
    ['editor', '/workflows/release/edit'],
    ['policies', '/policies'],
    ['session', `/sessions/${session}`],
    ['compare', `/compare?left=${story.done}&right=${story.interrupted}`],
    ['settings', '/settings'],
    ['tour', `/runs/${tour}`],
  ]
  for (const theme of ['light', 'dark'] as const) {
    for (const [size, width, height] of [
      ['wide', 1440, 900],
      ['phone', 390, 844],
    ] as const) {
      const visitor = await visit(browser, world.login(), { theme, width, height })
      for (const [name, address] of pages) {
        if (only !== undefined && !only.split(',').includes(name)) continue
        if (shownOnce.has(name) && (theme === 'dark' || size === 'phone')) continue
        if (name === 'tour') await startTour(visitor.page, tour)
        await visitor.page.goto(world.url + address)
        await untilDrawn(visitor.page, name)
        // All of the settings: most of their panels are below the first screen.
        if (name === 'settings') await visitor.page.setViewportSize({ width, height: 2080 })
        const picture = smallPng(await visitor.page.screenshot())
        writeFileSync(join(folder, `${name}-${size}-${theme}.png`), picture)
        await visitor.page.setViewportSize({ width, height })
      }
      if (visitor.complaints.length > 0) console.error(visitor.complaints)
      await visitor.context.close()
    }
  }
} finally {
  await browser.close()
  await world.close()
}

async function untilDrawn(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('load')
  const isWide = (page.viewportSize()?.width ?? 0) > 1000
  const hasDiagram = ['run', 'workflow', 'editor', 'compare', 'tour'].includes(name)
  if (hasDiagram || (name === 'session' && isWide)) {
    await page.locator('.diagram[data-ready=true]').first().waitFor()
  }
  if (name === 'editor') {
    await page.getByRole('tab', { name: /Claims/ }).click()
    await page.getByLabel('Your own claims').fill(claims)
    await page.getByText('refuted').first().waitFor()
    // As somebody would look at it: from the top where there is room, else at the claims.
    if (isWide) await page.evaluate("document.querySelector('main').scrollTo(0, 0)")
  }
  await page.waitForTimeout(500)
}

/** Where the tour is kept, in the middle of it. */
async function startTour(page: Page, runId: string): Promise<void> {
  const kept = JSON.stringify(JSON.stringify({ runId, chapter: 1 }))
  await page.evaluate(`sessionStorage.setItem('statewright-tour', ${kept})`)
}

/** The run of the demo, once it waits for a person. */
async function playedDemo(): Promise<string> {
  const { run_id: id } = await world.person('POST', '/api/demo', {})
  for (let look = 0; look < 300; look++) {
    const { status } = await world.person('GET', `/api/runs/${id}`)
    if (status === 'waiting') return id
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the demo did not come to its question')
}

async function saveText(name: string, text: string): Promise<void> {
  const { saveDefinition } = await import('../packages/server/src/runtime/rules/definitions.ts')
  const person = { tokenId: 'p', kind: 'person', role: 'person', name: 'Ann' } as const
  const saved = await saveDefinition(world.running.serving.runtime, person, text, { name })
  if (!saved.ok) throw new Error(saved.error.message)
}
