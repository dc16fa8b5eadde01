import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { saveDefinition } from '../../packages/server/src/runtime/rules/definitions.ts'
import { eventually, untilDialogIsGone } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()

const house = `# Rules of the house.
id: house
initial: looking
states:
  looking:
    # Nothing is changed here.
    allowed_tools: [Read] # and only this
    on:
      SEEN: working
  working:
    allowed_tools: [Read, Edit]
    on: { DONE: over }
  over: { type: final }
`

/** The text on screen; the editor draws only the lines that are seen. */
async function shownText(page: Page): Promise<string> {
  return (await page.locator('.code-editor .cm-line').allTextContents()).join('\n')
}

async function replaceText(page: Page, text: string): Promise<void> {
  await page.locator('.code-editor .cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  // As one piece, as if pasted: typing would indent and complete.
  await page.keyboard.insertText(text)
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(world.url + path)
  await page.locator('.code-editor .cm-content').waitFor()
  await page.locator('.editor-graph [data-ready=true] .state').first().waitFor()
}

async function save(text: string, name: string): Promise<void> {
  const person = { tokenId: 'p', kind: 'person', role: 'person', name: 'you' } as const
  const { runtime } = world.running.serving
  const saved = await saveDefinition(runtime, person, text, { name, overwrite: true })
  if (!saved.ok) throw new Error(saved.error.message)
}

describe('writing a definition', () => {
  test('cursor and undo outlast a server that was away', bound, async () => {
    await save(house, 'house')
    const { page } = await visit()
    await open(page, '/workflows/house/edit')
    await page.locator('.code-editor .cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('# One.')
    await world.restart(async () => {
      await page.getByRole('status').filter({ hasText: 'Not live' }).waitFor()
    })
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
    await page.keyboard.type(' Two.')
    await eventually(() => shownText(page)).toContain('# One. Two.# Rules of the house.')
    await eventually(async () => {
      await page.keyboard.press('Control+z')
      return shownText(page)
    }).not.toContain('# One.')
  })

  test('begins with a template, and is saved and compared', bound, async () => {
    const { page, complaints } = await visit({ at: '/workflows' })
    await page.getByRole('link', { name: 'New workflow' }).click()
    await page.getByRole('link', { name: /review-only/ }).click()
    await page.locator('.editor-graph .state').first().waitFor()
    await page.getByText('No problems found').waitFor()
    await page.getByRole('button', { name: 'Save review-only' }).click()
    await page.waitForURL(`${world.url}/workflows/review-only/edit`)
    await page.getByText('workflow · version 1').waitFor()
    expect((await world.person('GET', '/api/workflows/review-only')).draft).toBe(false)
    // A second version by the panel, and what changed between the two.
    await page.locator('.state').first().click()
    await page.getByLabel('Tool calls at most').fill('7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save as version 2' }).click()
    await page.getByText('workflow · version 2').waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
    await page.locator('.text-diff .cm-insertedLine, .text-diff .cm-changedLine').first().waitFor()
    await page.locator('.text-diff').getByText('max_iterations: 7').waitFor()
    const changes = page.getByRole('list', { name: 'Changes' })
    await changes.getByText(/max_iterations/).waitFor()
    // Back to the first, as a new version.
    await page.getByLabel('With version 1', { exact: true }).check()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('workflow · version 3').waitFor()
    const [first, third] = await Promise.all(
      [1, 3].map((version) => world.person('GET', `/api/workflows/review-only?version=${version}`)),
    )
    expect(third.text).toBe(first.text)
    expect(complaints).toEqual([])
  })

  test('shows a mistake at its line, and saves nothing that is wrong', bound, async () => {
    await save(house, 'house')
    const { page, complaints } = await visit()
    await open(page, '/workflows/house/edit')
    await replaceText(page, house.replace('SEEN: working', 'SEEN: wroking'))
    const findings = page.getByRole('region', { name: 'Findings' }).getByRole('listitem')
    const finding = findings.filter({ hasText: 'unknown_target' })
    await finding.waitFor()
    await eventually(() => finding.getByRole('button').innerText()).toMatch(/^9:/)
    await page.locator('.cm-lintRange-error').getByText('wroking').waitFor()
    const saving = page.getByRole('button', { name: /^Save/ })
    await eventually(() => saving.isDisabled()).toBe(true)
    // The picture shows the last text that could be read, not an empty frame.
    await page.locator('.editor-graph .state').nth(2).waitFor()
    // Leaving asks, and what was written is there again.
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('button', { name: 'Leave and keep them' }).click()
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await open(page, '/workflows/house/edit')
    await page.getByText('your changes of').waitFor()
    await eventually(() => shownText(page)).toContain('wroking')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('No problems found').waitFor()
    expect(complaints).toEqual([])
  })

  test('FC-6: shows at its line what is wrong with a condition', bound, async () => {
    await save(house, 'house')
    const { page, complaints } = await visit()
    await open(page, '/workflows/house/edit')
    await replaceText(
      page,
      `${house}facts:
  orders: { from: list_orders, value: result.amount }
calls:
  transfer:
    - require: args.amount <= balance
      message: Read the balance first.
    - require: facts.order == 1 && !marks.sent
    - require: "!(args.id in facts.orders)"
      message: Not these.
  mcp__bank__pay:
    - require: >-
        args.amount >
        resutl.amount
      message: Less.
  WebFetch:
    - require: args.url == 5
      message: Five.
`,
    )
    const findings = page.getByRole('region', { name: 'Findings' }).getByRole('listitem')
    const at = (line: number, code: string) =>
      findings
        .filter({ hasText: code })
        .filter({ hasText: `${line}:` })
        .first()
        .waitFor()
    await at(18, 'invalid_condition')
    await page
      .locator('.cm-line', { hasText: '<= balance' })
      .locator('.cm-lintRange-error')
      .waitFor()
    await at(20, 'unknown_fact')
    await at(20, 'unknown_mark')
    await at(20, 'condition_without_message')
    await at(21, 'fact_opens')
    await at(24, 'invalid_condition')
    await at(29, 'condition_type')
    expect(complaints).toEqual([])
  })

  test('text, picture and fields follow each other, and comments stay', bound, async () => {
    await save(house, 'house')
    const { page, complaints } = await visit()
    await open(page, '/workflows/house/edit')
    await page.locator('.state', { hasText: 'working' }).click()
    await page.locator('.cm-activeLine').getByText('working:').waitFor()
    await page.locator('.state.is-chosen', { hasText: 'working' }).waitFor()
    // Up in the text, and the picture follows.
    await page.locator('.code-editor .cm-content').focus()
    for (let line = 0; line < 4; line++) await page.keyboard.press('ArrowUp')
    await page.locator('.state.is-chosen', { hasText: 'looking' }).waitFor()
    await page.locator('.way-label', { hasText: 'SEEN' }).click()
    await page.locator('.cm-activeLine').getByText('SEEN: working').waitFor()
    await page.getByLabel('Allowed tools').fill('Read\nGrep')
    await page.getByLabel('Allowed tools').blur()
    await page.getByLabel('A person approves').check()
    const text = house
      .replace('[Read] #', '[Read, Grep] #')
      .replace('SEEN: working', 'SEEN: { target: working, requires_approval: true }')
    await eventually(() => shownText(page)).toBe(text)
    await page.getByRole('tab', { name: /Changes/ }).click()
    await page.locator('.text-diff .cm-deletedChunk').first().waitFor()
    // Names and values are offered while they are written.
    await page.locator('.cm-line', { hasText: 'initial: looking' }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('me')
    await page.locator('.cm-tooltip-autocomplete').getByText('meta').waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  })

  test('conditions are completed by what their place knows', bound, async () => {
    const facts = 'facts:\n  balance: { from: read_balance, value: result.amount }\n'
    await save(house, 'house')
    const { page, complaints } = await visit()
    await open(page, '/workflows/house/edit')
    const rule = 'calls:\n  transfer:\n    - message: Read it first.\n      require: '
    await replaceText(page, house + facts + rule)
    const offers = page.locator('.cm-tooltip-autocomplete')
    await page.keyboard.type('args.amount <= fa')
    await offers.getByText('Facts learned from results, by name.').waitFor()
    await page.keyboard.type('cts.')
    await offers.getByText('balance').click()
    await page.locator('.cm-activeLine').getByText('args.amount <= facts.balance').waitFor()
    await page.getByText('No problems found').waitFor()
    expect(complaints).toEqual([])
  })

  test('PO-1f: what was saved meanwhile is shown, and a person chooses', bound, async () => {
    await save(house, 'house')
    const { page, complaints } = await visit()
    await open(page, '/workflows/house/edit')
    const mine = house.replace('[Read]', '[Read, Glob]')
    const theirs = house.replace('[Read]', '[Read, Bash]')
    const stored = async () => (await world.person('GET', '/api/workflows/house')).text
    await replaceText(page, mine)
    await save(theirs, 'house')
    const button = page.getByRole('button', { name: /^Save as version/ })
    await button.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('region', { name: 'They changed' }).getByText('Read, Bash').waitFor()
    await dialog.getByRole('region', { name: 'You changed' }).getByText('Read, Glob').waitFor()
    await dialog.getByText(/Both of you changed states\..*allowed_tools/).waitFor()
    expect(await stored()).toBe(theirs)
    // Theirs is what the text is compared with from now on.
    await dialog.getByRole('button', { name: 'Edit mine' }).click()
    await untilDialogIsGone(page)
    await page.getByRole('tab', { name: /^Changes/ }).click()
    await page.locator('.text-diff').getByText('Read, Bash').first().waitFor()
    await save(theirs.replace('Bash', 'Grep'), 'house')
    await button.click()
    await dialog.getByRole('button', { name: /^Keep mine as version/ }).click()
    await untilDialogIsGone(page)
    await eventually(stored).toBe(mine)
    await replaceText(page, mine.replace('Glob', 'Write'))
    await save(theirs, 'house')
    await button.click()
    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await untilDialogIsGone(page)
    await page.locator('.code-editor').getByText('[Read, Bash]').waitFor()
    await eventually(() => button.isDisabled()).toBe(true)
    expect(await stored()).toBe(theirs)
    expect(complaints).toEqual([])
  })

  test('a draft by an agent is read and accepted, or discarded', bound, async () => {
    const agent = { tokenId: 'a', kind: 'agent', role: 'agent', name: 'claude' } as const
    for (const name of ['shed', 'hut']) {
      const text = house.replace('id: house', `id: ${name}`)
      await saveDefinition(world.running.serving.runtime, agent, text, { name })
    }
    const { page } = await visit({ at: '/workflows' })
    const drafts = page.getByRole('region', { name: 'Drafts by agents' })
    const shed = drafts.locator('article', { hasText: 'shed' })
    await shed.getByRole('button', { name: 'Read and accept…' }).click()
    await page.getByRole('dialog').getByText('Nothing is changed here.').waitFor()
    await page.getByRole('button', { name: 'Accept this text' }).click()
    await untilDialogIsGone(page)
    await shed.waitFor({ state: 'detached' })
    expect((await world.person('GET', '/api/workflows/shed')).draft).toBe(false)
    await drafts.locator('article', { hasText: 'hut' }).getByText('Discard…').click()
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await untilDialogIsGone(page)
    await drafts.waitFor({ state: 'detached' })
    expect((await world.person('GET', '/api/workflows/hut')).code).toBe('unknown_workflow')
  })
})
