import { beforeAll, describe, expect, test } from 'vitest'
import { apiRequests } from '../../packages/server/testing/dashboard/browser.ts'
import { openDashboard } from '../../packages/server/testing/dashboard/dashboard.ts'
import { copyRuns } from '../../packages/server/testing/dashboard/many.ts'

const bound = { timeout: 120_000 }
const { world, visit } = await openDashboard()
const many = 30

/** As many as a page may send before it is read, however much there is to show. */
const maxRequests = 14

beforeAll(async () => {
  for (let number = 0; number < many; number++) {
    const id = `flow-${number}`
    const states = { a: { on: { GO: 'b' } }, b: { type: 'final' } }
    await world.person('PUT', `/api/workflows/${id}`, { id, initial: 'a', states })
    const policy = { role: 'agent', deny: [{ capability: `mcp:x:${number}` }], default: 'allow' }
    await world.person('PUT', `/api/policies/policy-${number}`, { policy })
    // Versions of one.
    const more = { ...states, a: { max_iterations: number + 1, on: { GO: 'b' } } }
    await world.person('PUT', '/api/workflows/flow-0', { id: 'flow-0', initial: 'a', states: more })
    const run = await world.run('deploy')
    const commands = [0, 1, 2].map((call) => ({ command: `npm run job-${number}-${call}` }))
    await Promise.all(commands.map((input) => world.check(run, 'Bash', input)))
  }
  await copyRuns(world, 1000)
})

describe('a page with many things to show', () => {
  test.each([
    ['/', 'npm run job-0-0'],
    ['/runs', 'run-c'],
    ['/workflows', 'flow-29'],
    ['/workflows/flow-0', 'max_iterations'],
    ['/workflows/flow-0/edit', 'max_iterations'],
    ['/policies', 'policy-29'],
    ['/policies/policy-1', 'mcp:x:1'],
    ['/activity', 'Denials by state'],
    ['/memory', 'Tasks'],
    ['/settings', 'Protection'],
  ])('asks for %s in a few requests', bound, async (path, words) => {
    const { page } = await visit()
    const asked = await apiRequests(page)
    await page.goto(world.url + path)
    await page.locator('main').getByText(words).locator('visible=true').first().waitFor()
    // What is asked for each of many would have begun by then.
    await page.waitForTimeout(500)
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(maxRequests)
  })
})
