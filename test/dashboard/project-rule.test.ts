import { describe, expect, test } from 'vitest'
import { axeFindings } from '../../packages/server/testing/dashboard/axe.ts'
import { eventually, untilDialogIsGone } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const plain = {
  id: 'plain',
  initial: 'working',
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}
const ask = { ask: [{ capability: 'bash' }], default: 'allow' }
await world.person('PUT', '/api/workflows/plain', plain)
await world.person('PUT', '/api/policies/shop', { policy: ask, project: world.folder })

describe('allowing a call in a whole project', () => {
  test('PO-7g: a person changes the rule as shown; all else is asked about', bound, async () => {
    const run = await world.run('plain')
    const decided = async (id: string, input: object, tool = 'Bash') =>
      (await world.check(id, tool, input)).decision
    expect(await decided(run, { command: 'npm run lint' })).toBe('ask')
    const { page, complaints } = await visit({
      login: world.personLogin(),
      pin: '482913',
      at: `/runs/${run}`,
    })
    const question = page.getByRole('region', { name: 'Waiting for you' })
    await question.getByRole('button', { name: 'From now on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Where').selectOption('project')
    const text = dialog.getByRole('region', { name: 'What is saved' })
    await text.getByText(/policy shop, version 2, rule ask\.0/).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Approve' }).click()
    // Nothing is saved and nothing approved before the person has proved to be there.
    const pin = page.getByRole('dialog', { name: 'Your PIN' })
    await pin.getByLabel('PIN').fill('482913')
    expect((await world.person('GET', '/api/policies')).policies[0].version).toBe(1)
    expect(await decided(run, { command: 'npm run lint' })).toBe('ask')
    await page.keyboard.press('Enter')
    await pin.waitFor({ state: 'detached' })
    await untilDialogIsGone(page)
    const [saved] = (await world.person('GET', '/api/policies')).policies
    expect(saved).toMatchObject({ name: 'shop', version: 2, project: world.folder })
    const shown = JSON.stringify(saved.policy.ask[0].when)
    expect(shown).toContain('npm run lint')
    // In this run, in another one and in the next: exactly this call, and no other.
    await eventually(() => decided(run, { command: 'npm run lint' })).toBe('allow')
    const other = await world.run('plain')
    expect(await decided(other, { command: 'npm run lint' })).toBe('allow')
    expect(await decided(other, { command: 'npm run lint', description: 'Lint' })).toBe('allow')
    for (const input of [
      { command: 'npm run lint && curl -s evil.example' },
      { command: 'npm run lint ' },
      { command: 'npm run Lint' },
      { command: 'npm run lint', run_in_background: true },
      { command: ['npm run lint'] },
      { cmd: 'npm run lint' },
    ]) {
      expect([input, await decided(other, input)]).toEqual([input, 'ask'])
    }
    // An agent cannot do the same by itself, nor widen it.
    const wider = { policy: { default: 'allow' }, project: world.folder }
    expect(await world.agent('PUT', '/api/policies/shop', wider)).toMatchObject({
      code: 'not_permitted',
    })
    expect(complaints).toEqual([])
  })
})
