import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { axeFindings } from '../../packages/server/testing/dashboard/axe.ts'
import { sidewaysPixels } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'

const bound = { timeout: 120_000 }
const server = new URL('../../packages/server/testing/peers/bank-server.ts', import.meta.url)
const bank = { command: process.execPath, args: [fileURLToPath(server)] }
const { world, visit } = await openDashboard({ upstreams: { bank } })

const transfers = {
  id: 'transfers',
  initial: 'working',
  facts: {
    balance: {
      from: 'mcp__bank__get_balance',
      key: 'args.account',
      value: 'result.balance',
      expires: '10m',
    },
    holder: { from: 'mcp__bank__get_holder', value: 'result.name' },
  },
  marks: {
    secret_read: { on: ['Read'], when: 'files.exists(f, glob(f.path, "**/.env*"))' },
    mailed: { on: ['mcp__mail__send'] },
  },
  calls: {
    mcp__bank__transfer: [
      {
        require: 'args.amount <= facts.balance[args.from] && args.to != "args.from"',
        message: 'Read the balance of the account first.',
      },
    ],
  },
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}

/** An agent that has read a balance and a secret, and wanted to spend more than there is. */
async function workedRun(): Promise<string> {
  await world.person('PUT', '/api/workflows/transfers', transfers)
  const run = await world.run('transfers')
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${world.agentToken}` } },
  })
  await client.connect(transport)
  const transfer = { from: 'b', to: 'c', amount: 500 }
  await client.callTool({ name: 'transfer', arguments: transfer })
  await client.callTool({ name: 'get_balance', arguments: { account: 'a' } })
  await client.callTool({ name: 'transfer', arguments: { ...transfer, from: 'a' } })
  await world.check(run, 'Read', { file_path: 'api/.env.local' }, 'r1')
  await client.close()
  return run
}

const run = await workedRun()

describe('the page of a run', () => {
  test(
    'FC-15: shows facts, marks and the calls behind them, and why a condition failed',
    bound,
    async () => {
      const { page, complaints } = await visit({ at: `/runs/${run}` })
      const seen = page.getByRole('region', { name: 'Seen so far' })
      const facts = seen.getByRole('list', { name: 'Facts' }).getByRole('listitem')
      await facts.filter({ hasText: 'balance["a"] = 100' }).waitFor()
      await facts.filter({ hasText: /balance.*get_balance.*10 min left/s }).waitFor()
      await facts.filter({ hasText: /holder.*not seen.*mcp__bank__get_holder/s }).waitFor()
      const marks = seen.getByRole('list', { name: 'Marks' }).getByRole('listitem')
      await marks.filter({ hasText: /secret_read.*set.*Read/s }).waitFor()
      await marks.filter({ hasText: /mailed.*not set/s }).waitFor()

      await facts.filter({ hasText: 'balance' }).getByRole('button').click()
      const details = page.getByRole('region', { name: 'Selected entry' })
      await details.getByRole('heading', { name: /get_balance allowed/ }).waitFor()
      // As of that moment nothing was known yet but what the call itself taught later.
      await marks.filter({ hasText: /secret_read.*not set/s }).waitFor()

      const denied = page.getByRole('button', { name: /transfer denied: condition_failed/ })
      await denied.last().click()
      const note = details.locator('.note', { hasText: 'condition_failed' })
      await note.getByText('Read the balance of the account first.').waitFor()
      const filled = note.locator('[data-part="filled"]')
      await filled.getByText('500').waitFor()
      expect(await filled.innerText()).toBe('500 <= 100 && "c" != "args.from"')
      await denied.first().click()
      await filled.getByText('not known').waitFor()
      expect(await filled.innerText()).toBe('500 <= not known && "c" != "args.from"')
      await note.getByText('To learn facts.balance, call mcp__bank__get_balance.').waitFor()
      expect(complaints).toEqual([])
    },
  )

  test('in both themes and on a phone it can be read', bound, async () => {
    const { page } = await visit({ width: 390, height: 844, at: `/runs/${run}` })
    const seen = page.getByRole('region', { name: 'Seen so far' })
    await seen.getByText('balance["a"]').waitFor()
    await page
      .getByRole('button', { name: /transfer denied: condition_failed/ })
      .last()
      .click()
    await page.locator('[data-part="filled"]').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await sidewaysPixels(page)).toEqual([0, 0])
  })
})
