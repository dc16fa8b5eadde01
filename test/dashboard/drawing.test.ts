import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

const start = `# Drawn, not written.
id: drawn
initial: reading
states:
  reading: # the first one
    allowed_tools: [Read]
  done: { type: final }
`

async function shownText(page: Page): Promise<string> {
  return (await page.locator('.code-editor .cm-line').allTextContents()).join('\n')
}

async function openWith(page: Page, text: string): Promise<void> {
  await page.goto(`${world.url}/playground`)
  await page.locator('.code-editor .cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
  await page.locator('.editor-graph [data-ready=true] .state', { hasText: 'reading' }).waitFor()
  await eventually(() => page.locator('.editor-graph .state').count()).toBe(2)
}

function stateOf(page: Page, name: string): Locator {
  return page.locator(`.editor-graph .react-flow__node[data-id="${name}"]`)
}

/** Adds a state by the button of the picture, and types its name right there. */
async function addState(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a state' }).click()
  const field = page.getByLabel('Name of the state')
  await field.fill(name)
  await field.press('Enter')
  await stateOf(page, name).waitFor()
}

/** The picture moves while it is laid out anew: a point counts once it stays. */
async function pointOf(target: Locator): Promise<{ x: number; y: number }> {
  let before = ''
  await eventually(async () => {
    const now = JSON.stringify(await target.boundingBox())
    const isSame = now === before
    before = now
    return isSame
  }).toBe(true)
  const box = JSON.parse(before)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const end = await pointOf(to)
  const begin = await pointOf(from)
  await page.mouse.move(begin.x, begin.y)
  await page.mouse.down()
  await page.mouse.move((begin.x + end.x) / 2, (begin.y + end.y) / 2)
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.mouse.up()
}

async function chooseState(page: Page, name: string): Promise<void> {
  // A picture that is laid out just then may have moved away under the pointer.
  await eventually(async () => {
    const { x, y } = await pointOf(stateOf(page, name))
    await page.mouse.click(x, y)
    return page.locator('.state.is-chosen').innerText()
  }).toContain(name)
}

/** Draws a way from one state to another, and types the name of its event. */
async function connect(page: Page, from: string, to: string, event: string): Promise<void> {
  await chooseState(page, from)
  await drag(
    page,
    stateOf(page, from).getByRole('button', { name: `Connect ${from}` }),
    stateOf(page, to),
  )
  const field = page.getByLabel('Name of the event')
  await field.fill(event)
  await field.press('Enter')
  await page.locator('.way-label', { hasText: event }).first().waitFor()
}

describe('drawing a workflow', () => {
  test(
    'six states with a fork, saved, simulated, run, and taken back to the start',
    bound,
    async () => {
      const { page, complaints } = await visit({ width: 1600, height: 1100 })
      await openWith(page, start)
      await page.getByRole('button', { name: 'Save drawn' }).click()
      await page.waitForURL(`${world.url}/workflows/drawn/edit`)
      await page.locator('.editor-graph [data-ready=true] .state').first().waitFor()
      for (const name of ['style', 'style_end', 'tests', 'tests_end']) await addState(page, name)
      // The name of a state is changed in the picture, and a way led elsewhere.
      await stateOf(page, 'tests').dblclick()
      const field = page.getByLabel('Name of the state')
      await field.fill('trying')
      await field.press('Enter')
      await stateOf(page, 'trying').waitFor()
      await chooseState(page, 'reading')
      await page
        .getByRole('toolbar', { name: 'State reading' })
        .getByRole('button', { name: 'Fork' })
        .click()
      const dialog = page.getByRole('dialog', { name: 'Fork reading' })
      await dialog.getByLabel('First state').nth(0).selectOption('style')
      await dialog.getByLabel('Last state').nth(0).selectOption('style_end')
      await dialog.getByLabel('First state').nth(1).selectOption('trying')
      await dialog.getByLabel('Last state').nth(1).selectOption('tests_end')
      await dialog.getByLabel('Then go to').selectOption('done')
      await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
      await page.locator('.way-label', { hasText: 'SPLIT / one' }).waitFor()
      await connect(page, 'style', 'done', 'CHECKED')
      await drag(
        page,
        page.getByRole('button', { name: 'Change the target of CHECKED' }),
        stateOf(page, 'style_end'),
      )
      await eventually(() => shownText(page)).toContain('CHECKED: style_end')
      await connect(page, 'trying', 'tests_end', 'TRIED')
      await page.getByText('No problems found').waitFor()
      const drawn = await shownText(page)
      expect(drawn).toContain('reading: # the first one')
      // Simulated.
      await page.getByRole('tab', { name: 'Simulate' }).click()
      await page.getByRole('tabpanel').getByRole('button', { name: /SPLIT/ }).click()
      await eventually(() => page.locator('.editor-graph .state.is-current').count()).toBe(2)
      // Taken back to the start, byte for byte, and done again.
      const undo = page.getByRole('button', { name: 'Undo' })
      const redo = page.getByRole('button', { name: 'Redo' })
      for (let step = 0; step < 60 && (await shownText(page)) !== start; step++) await undo.click()
      expect(await shownText(page)).toBe(start)
      for (let step = 0; step < 60 && (await shownText(page)) !== drawn; step++) await redo.click()
      expect(await shownText(page)).toBe(drawn)
      // Saved, and run by an agent.
      await page.getByRole('button', { name: 'Save as version' }).click()
      const saved = async () => (await world.person('GET', '/api/workflows/drawn')).text
      await eventually(saved).toBe(drawn)
      const run = await world.run('drawn')
      await world.move(run, 'SPLIT')
      await world.move(run, 'CHECKED', {}, 'one')
      await world.move(run, 'TRIED', {}, 'two')
      expect(await world.person('GET', `/api/runs/${run}`)).toMatchObject({
        state: 'done',
        status: 'completed',
      })
      // Saving takes nothing away: it still goes back to the start.
      for (let step = 0; step < 60 && (await shownText(page)) !== start; step++) await undo.click()
      expect(await shownText(page)).toBe(start)
      expect(complaints).toEqual([])
    },
  )

  test('undo goes back over picture, fields and text, byte for byte', bound, async () => {
    const { page, complaints } = await visit({ width: 1600, height: 1100 })
    await openWith(page, start)
    await addState(page, 'writing')
    await connect(page, 'reading', 'writing', 'FOUND')
    await chooseState(page, 'writing')
    await page.getByLabel('Tool calls at most').fill('7')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('editing')
    await page.getByRole('button', { name: 'Rename', exact: true }).last().click()
    await stateOf(page, 'editing').waitFor()
    await page.locator('.cm-line', { hasText: '# Drawn' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' Really.')
    await chooseState(page, 'editing')
    await stateOf(page, 'editing').press('Delete')
    await stateOf(page, 'editing').waitFor({ state: 'detached' })
    await eventually(() => shownText(page)).not.toContain('FOUND')
    const undo = page.getByRole('button', { name: 'Undo' })
    for (let step = 0; step < 20 && (await shownText(page)) !== start; step++) await undo.click()
    await eventually(() => shownText(page)).toBe(start)
    const redo = page.getByRole('button', { name: 'Redo' })
    await redo.click()
    await eventually(() => page.locator('.editor-graph .state').count()).toBe(3)
    expect(complaints).toEqual([])
  })
})
