import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { runStatewright } from '../../packages/server/testing/child.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

async function open(page: Page, path: string): Promise<void> {
  await page.goto(world.url + path)
  await page.locator('.editor-graph [data-ready=true] .state').first().waitFor()
}

describe('from a denial to a rule', () => {
  test('of a run: the change is seen, applied, saved, and the next run may', bound, async () => {
    const run = await world.run('bugfix')
    expect((await world.check(run, 'Bash', { command: 'npm run lint' })).decision).toBe('deny')
    const { page, complaints } = await visit({ at: `/runs/${run}` })
    await page.getByRole('button', { name: /Bash denied: tool_not_allowed/ }).click()
    const offer = page.getByRole('region', { name: 'Suggested change' })
    await offer.getByText('Add Bash(npm run lint) to the tools of planning').waitFor()
    await offer.getByText('this exact command in planning').waitFor()
    await offer.locator('.text-diff').getByText('Bash(npm run lint)').waitFor()
    await offer.getByRole('button', { name: 'Open the editor with this change' }).click()
    await page.waitForURL(`${world.url}/workflows/bugfix/edit`)
    await page.getByText('not saved').waitFor()
    await page.getByRole('button', { name: 'Save as version 2' }).click()
    await page.getByText('workflow · version 2').waitFor()
    const next = await world.run('bugfix')
    expect((await world.check(next, 'Bash', { command: 'npm run lint' })).decision).toBe('allow')
    expect((await world.check(next, 'Bash', { command: 'npm run build' })).decision).toBe('deny')
    // The old run keeps its rules, and the page says that the newest version is enough.
    expect((await world.check(run, 'Bash', { command: 'npm run lint' })).decision).toBe('deny')
    await page.goto(`${world.url}/runs/${run}?at=2`)
    await page.getByText('The newest version already allows this call').waitFor()
    expect(complaints).toEqual([])
  })

  test('where no rule should give way it says what helps instead', bound, async () => {
    const run = await world.run('deploy')
    await world.check(run, 'Bash', { command: 'claude -p "do it"' })
    const { page } = await visit({ at: `/runs/${run}` })
    await page.getByRole('button', { name: /Bash denied/ }).click()
    await page.getByText('What would help').waitFor()
    expect(await page.getByRole('region', { name: 'Suggested change' }).count()).toBe(0)
  })
})

describe('a simulation', () => {
  test('denies, explains, is mended, taken back and kept as a scenario', bound, async () => {
    const { page, complaints } = await visit()
    await open(page, '/playground')
    await page.getByRole('tab', { name: 'Simulate' }).click()
    const outcome = page.getByRole('status', { name: 'Outcome' })
    await page.getByLabel('Command').fill('npm run lint')
    await page.getByRole('button', { name: 'Try the call' }).click()
    await outcome.getByText('denied: tool_not_allowed').waitFor()
    await outcome.getByRole('button', { name: 'states.planning.allowed_tools' }).click()
    await page.locator('.cm-activeLine').getByText('allowed_tools: [Read, Grep, Glob]').waitFor()
    await page.getByLabel('Data of the event (JSON)').fill('{ "cause": "line 42" }')
    await page.getByRole('tabpanel').getByRole('button', { name: 'FOUND' }).click()
    await page.locator('.state.is-current').getByText('fixing').waitFor()
    await page.getByRole('button', { name: 'Step back' }).click()
    await outcome.getByText('denied: tool_not_allowed').waitFor()
    await page.getByRole('button', { name: 'Save as a scenario…' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await plays(await (await download).path(), await textOf(page))
    await page.getByRole('button', { name: 'Done' }).click()
    // The same steps are played again on the changed text.
    await page.getByRole('button', { name: 'Apply to the text' }).click()
    await outcome.getByText('allowed', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('hostile words in a definition', () => {
  test('stay words', bound, async () => {
    const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    const name = `a ${script}`.slice(0, 90)
    const definition = {
      id: 'hostile',
      initial: name,
      states: {
        [name]: {
          allowed_tools: ['Read'],
          instructions: `\u202e${script}\n"]}: | # ' --- `,
          on: { [`EV ${script}`]: 'end', __proto__x: 'end' },
        },
        end: { type: 'final' },
      },
      meta: { description: `${script} ${'long'.repeat(200)}` },
    }
    const saved = await world.person('PUT', '/api/workflows/hostile', definition)
    expect(saved).toMatchObject({ version: 1 })
    const { page, complaints } = await visit({ at: '/workflows' })
    await page.getByRole('link', { name: 'hostile' }).waitFor()
    await open(page, '/workflows/hostile/edit')
    await page.locator('.state').first().click()
    await page.getByLabel('Tool calls at most').fill('3')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Simulate' }).click()
    await page.getByRole('button', { name: 'Try the call' }).click()
    await page.getByRole('region', { name: 'Suggested change' }).waitFor()
    await page.getByRole('button', { name: 'Apply to the text' }).click()
    await page.getByText('allowed', { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: /Changes/ }).click()
    await page.locator('.text-diff .cm-line').first().waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    const wide = 'document.documentElement.scrollWidth > innerWidth'
    expect(await page.evaluate(wide)).toBe(false)
    expect(complaints).toEqual([])
  })
})

describe('a large workflow', () => {
  test('of a hundred states is edited while the page stays awake', bound, async () => {
    const names = Array.from({ length: 100 }, (_, index) => `step_${index}`)
    const states = Object.fromEntries(
      names.map((name, index) => [
        name,
        index === 99 ? { type: 'final' } : { on: { NEXT: `step_${index + 1}` } },
      ]),
    )
    await world.person('PUT', '/api/workflows/large', { id: 'large', initial: 'step_0', states })
    const { page } = await visit({ at: '/workflows' })
    // A layout in the page itself would stop it for seconds.
    const beside = page.waitForEvent('worker')
    await page.getByRole('link', { name: 'large' }).click()
    await page.getByRole('link', { name: 'Open in the editor' }).click()
    await page.locator('.editor-graph .state').nth(99).waitFor()
    expect((await beside).url()).toContain('elk-worker')
  })
})

/** Plays the scenario with the real command line against the text that was on screen. */
async function plays(file: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'statewright-scenario-'))
  writeFileSync(join(folder, 'bugfix.yaml'), text)
  writeFileSync(join(folder, 'scenarios.yaml'), readFileSync(file, 'utf8'))
  const environment = { PATH: process.env.PATH ?? '', HOME: folder }
  const args = ['workflow', 'test', 'scenarios.yaml']
  const done = await runStatewright(args, { cwd: folder, environment })
  rmSync(folder, { recursive: true, force: true })
  expect(done).toMatchObject({ code: 0, stdout: 'ok  what was tried in the dashboard\n' })
}

async function textOf(page: Page): Promise<string> {
  return (await page.locator('.code-editor .cm-line').allTextContents()).join('\n')
}
