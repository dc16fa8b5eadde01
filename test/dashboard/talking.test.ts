import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { eventually, sidewaysPixels } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import {
  sessionWorkspace,
  startScripted,
  withHook,
} from '../../packages/server/testing/dashboard/session-scripts.ts'
import { startFakeChat } from '../support/fake-openai-chat.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const workspace = sessionWorkspace(world)
await withHook(world)
// The model is out of reach until a test lets it answer.
let isDown = false
const answer = () => {
  if (isDown) throw new Error('out of reach')
  return [{ text: 'Here I am.' }]
}
const chat = await startFakeChat(Array.from({ length: 12 }, () => answer))
afterAll(() => chat.close())

async function startModel(): Promise<string> {
  const started = await world.person('POST', '/api/sessions', {
    harness: 'model',
    projectPath: workspace,
    options: { model: 'openai-compatible/scripted', base_url: chat.url },
  })
  return started.sessionId
}

const badge = (page: Page, kind: string) => page.locator(`.page-head [data-kind=${kind}]`)

async function open(page: Page, sessionId: string): Promise<void> {
  await page.goto(`${world.url}/sessions/${sessionId}`)
  await badge(page, 'ready').waitFor()
}

async function say(page: Page, text: string, keys = 'Enter'): Promise<void> {
  await page.getByLabel('Say something').fill(text)
  await page.keyboard.press(keys)
}

describe('talking with a session', () => {
  test('SE-19: words wait or interrupt, as the person chooses', bound, async () => {
    const { page, complaints } = await visit()
    await open(page, await startScripted(world, 'words'))
    await say(page, 'count')
    await page.locator('.said', { hasText: 'One' }).waitFor()
    await say(page, 'and then backwards')
    await say(page, 'and then in French')
    const queue = page.getByRole('region', { name: 'Queued' })
    await queue.getByText('and then in French').waitFor()
    await queue.getByRole('listitem').first().getByRole('button', { name: 'Take back' }).click()
    await eventually(() => queue.getByRole('listitem').count()).toBe(1)
    expect(await page.locator('.said.by-person').count()).toBe(1)
    await page.getByRole('button', { name: 'End the turn' }).click()
    await badge(page, 'ready').waitFor()
    // What waits is begun with the next words, and goes on waiting until then.
    expect(await queue.getByRole('listitem').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('SE-19: what interrupts is read next', bound, async () => {
    const { page } = await visit()
    await open(page, await startScripted(world, 'words'))
    await say(page, 'count')
    await page.locator('.said', { hasText: 'One' }).waitFor()
    await page.getByLabel('Say something').fill('stop that')
    await page.getByRole('button', { name: 'Interrupt and send' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.locator('.said.by-person', { hasText: 'stop that' }).waitFor()
    await eventually(() => page.getByLabel('Say something').inputValue()).toBe('')
  })

  test('SE-5: a model that gave up is asked again', bound, async () => {
    isDown = true
    const { page } = await visit()
    await open(page, await startModel())
    await say(page, 'hello')
    const failed = page.getByRole('region', { name: 'What failed' })
    // It tries by itself first; then it is ready, and the rest is up to the person.
    await page.locator('.turn-end', { hasText: '3 requests' }).waitFor()
    await failed.getByText('streaming_failed').waitFor()
    // Three times the same is one line.
    await page.locator('.chat .note.bad', { hasText: '3 times' }).waitFor()
    isDown = false
    await failed.getByRole('button', { name: 'Ask the model again' }).click()
    await page.locator('.said', { hasText: 'Here I am.' }).waitFor()
    await failed.waitFor({ state: 'detached' })
  })

  test('SE-15: a hook shows its exit and what it printed', bound, async () => {
    rmSync(join(workspace, 'formatted'), { force: true })
    const { page } = await visit()
    await open(page, await startScripted(world, 'hooked'))
    await say(page, 'write it')
    const hook = page.locator('.tool', { hasText: 'hook format' })
    await hook.getByText('failed, exit 1').waitFor()
    await hook.getByText('Output').click()
    await page.getByLabel('Output of hook format').getByText('note.md: 1 line too long').waitFor()
    writeFileSync(join(workspace, 'formatted'), '')
    await hook.getByRole('button', { name: 'Retry format' }).click()
    await page.locator('.said', { hasText: 'written and formatted' }).waitFor()
  })

  test('SE-11b: what waits for a person is answered on the page', bound, async () => {
    const { page } = await visit()
    await open(page, await startScripted(world, 'asking', { workflow: 'deploy' }))
    await say(page, 'which version is out?')
    const question = page.getByRole('region', { name: 'Waiting for you' })
    await question.getByText('git tag --list').waitFor()
    await question.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.locator('.said', { hasText: 'The last tag is v2.4.0.' }).waitFor()
    await question.waitFor({ state: 'detached' })
  })

  test('SE-19: one is named, stopped, resumed and removed', bound, async () => {
    const sessionId = await startScripted(world, 'markdown')
    const { page } = await visit()
    await open(page, sessionId)
    await page.getByRole('button', { name: 'Name and model' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Cents of the cart')
    await page.getByLabel('Model', { exact: true }).fill('scripted-2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cents of the cart' }).waitFor()
    await page.locator('.page-head').getByText('scripted-2').waitFor()
    await say(page, 'why?')
    await page.locator('.turn-end', { hasText: '1,200 tokens · $0.02' }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop the session' }).click()
    await badge(page, 'stopped').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await badge(page, 'ready').waitFor()
    await say(page, 'and now?')
    await page.locator('.said', { hasText: 'First answer.' }).waitFor()
    // Somebody else stops and resumes it meanwhile.
    await world.person('POST', `/api/sessions/${sessionId}/stop`, {})
    await badge(page, 'stopped').waitFor()
    await world.person('POST', `/api/sessions/${sessionId}/resume`)
    await badge(page, 'ready').waitFor()
    expect(await page.locator('.said.by-person').count()).toBe(2)
    await world.person('POST', `/api/sessions/${sessionId}/stop`, {})
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove the session' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    expect(await page.getByText('Cents of the cart').count()).toBe(0)
    await page.goto(`${world.url}/sessions/${sessionId}`)
    await page.getByText('There is no such session').waitFor()
  })

  test('SE-17a: Markdown is drawn and nothing of it runs or loads', bound, async () => {
    const sessionId = await startScripted(world, 'markdown')
    await world.person('POST', `/api/sessions/${sessionId}/input`, { text: 'why?' })
    const { page, complaints } = await visit({ width: 390, height: 844 })
    const outside: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(world.url)) outside.push(request.url())
    })
    await open(page, sessionId)
    const answer = page.locator('.markdown')
    await answer.getByRole('cell', { name: '0.67' }).waitFor()
    await answer.getByLabel('Code ts').getByText('export const total').waitFor()
    expect(await answer.locator('strong', { hasText: 'each price' }).count()).toBe(1)
    await answer.getByText('<b onclick="window.hacked=1">raw</b> stays raw.').waitFor()
    const links = answer.getByRole('link')
    expect(await links.count()).toBe(2)
    expect(await links.first().innerText()).toBe('the docs (https://example.org/rounding)')
    await answer.getByText('no script (javascript:window.hacked=1)').waitFor()
    expect(await page.locator('main :is(b, img, h2, h3)').count()).toBe(0)
    expect(await sidewaysPixels(page)).toEqual([0, 0])
    expect(await page.evaluate('window.hacked')).toBe(undefined)
    expect([outside, complaints]).toEqual([[], []])
  })

  test('SE-17a, SE-11d: the system prompt is shown, folded', bound, async () => {
    writeFileSync(join(workspace, 'AGENTS.md'), 'Totals are rounded once.\n')
    const { page } = await visit()
    await open(page, await startModel())
    await say(page, 'hello')
    await page.locator('.said', { hasText: 'Here I am.' }).waitFor()
    const shown = page.getByLabel('System prompt', { exact: true }).getByText(/rounded once/)
    await shown.waitFor({ state: 'hidden' })
    await page.locator('summary', { hasText: 'System prompt' }).click()
    await shown.waitFor()
  })
})
