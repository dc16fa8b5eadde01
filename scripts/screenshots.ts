// Makes the pictures of the dashboard in docs/images from a real server with real runs.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser, visit } from '../packages/server/testing/dashboard/browser.ts'
import { talkedSession, tellMore, withPast } from '../packages/server/testing/dashboard/more.ts'
import { tellStory } from '../packages/server/testing/dashboard/story.ts'
import { DashboardWorld } from '../packages/server/testing/dashboard/world.ts'

const repository = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = process.argv[2] ?? join(repository, 'docs', 'images')
const only = process.argv[3]

const sound = [
  { check: 'settings', status: 'ok', message: 'All entries stand in ~/.claude/settings.json.' },
  { check: 'canary', status: 'ok', message: 'A forbidden call was denied.' },
]
const broken = {
  check: 'settings',
  status: 'broken',
  message: 'Missing or changed: hooks.BeforeTool in ~/shop/.gemini/settings.json.',
  next: 'run "statewright install gemini --project" again.',
}
const doctorReport = {
  ok: false,
  clients: [
    { client: 'claude-code', scope: 'user', url: 'http://127.0.0.1:4747', findings: sound },
    { client: 'gemini', scope: 'project', url: 'http://127.0.0.1:4747', findings: [broken] },
  ],
}

const world = await DashboardWorld.open()
const browser = await launchBrowser()
try {
  const story = await tellStory(world)
  await world.person('PUT', '/api/clients/report', doctorReport)
  await tellMore(world)
  await withPast(world)
  mkdirSync(folder, { recursive: true })
  const pages: readonly (readonly [name: string, path: string])[] = [
    ['approvals', '/'],
    ['runs', '/runs'],
    ['run', `/runs/${story.interrupted}`],
    ['run-fork', `/runs/${story.forked}`],
    ['workflows', '/workflows'],
    ['editor', '/workflows/bugfix/edit'],
    ['templates', '/templates'],
    ['processes', '/processes'],
    ['sessions', '/sessions'],
    ['session', `/sessions/${await talkedSession(world)}`],
    ['policies', '/policies'],
    ['activity', '/activity'],
    ['memory', `/memory?project=${encodeURIComponent('/home/ann/shop')}`],
    ['settings', '/settings'],
  ]
  for (const theme of ['light', 'dark'] as const) {
    for (const [size, width, height] of [
      ['wide', 1440, 900],
      ['phone', 390, 844],
    ] as const) {
      const visitor = await visit(browser, world.login(), { theme, width, height })
      for (const [name, address] of pages) {
        if (only !== undefined && !only.split(',').includes(name)) continue
        await visitor.page.goto(world.url + address)
        await visitor.page.getByRole('heading', { level: 1 }).waitFor()
        await visitor.page.waitForLoadState('load')
        const diagram = visitor.page.locator('.diagram')
        if ((await diagram.count()) > 0) {
          await visitor.page.locator('.diagram[data-ready=true]').waitFor()
        }
        await visitor.page.waitForTimeout(500)
        // All of the settings: most of their panels are below the first screen.
        const whole = size === 'wide' ? 2080 : 3350
        if (name === 'settings') await visitor.page.setViewportSize({ width, height: whole })
        await visitor.page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) })
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
