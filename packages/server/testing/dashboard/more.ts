import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startScripted } from './session-scripts.ts'
import type { DashboardWorld } from './world.ts'

const project = '/home/ann/shop'

/** Policies with usage, memory, tasks and answered approvals, beside the story of the runs. */
export async function tellMore(world: DashboardWorld): Promise<void> {
  await world.person('PUT', '/api/policies/agents', {
    policy: {
      role: 'agent',
      deny: [{ capability: 'mcp:filesystem:write_*' }],
      ask: [{ capability: 'webfetch' }],
      allow: [
        { capability: 'read', rate_limit: { max_calls: 8, window_seconds: 3600 } },
        { capability: 'agent', budget_limit: { max_usd: 5, period: 'daily' }, reserve_usd: 0.1 },
      ],
    },
  })
  await world.person('PUT', '/api/policies/shop', {
    project,
    policy: { deny: [{ capability: 'mcp:payments:*' }], default: 'allow' },
  })
  const run = await world.run('bugfix', { ticket: 'BUG-1061' })
  for (let call = 0; call < 7; call++) {
    await world.check(run, 'Read', { file_path: `src/${call}.ts` }, `m${call}`)
    await world.result(run, `m${call}`, { bytes: 900, cost_usd: 0.021 })
  }
  const query = `?project=${encodeURIComponent(project)}`
  const memories = {
    rounding: 'Totals are rounded once, after the sum. See src/cart.ts.',
    deploys: 'Deploys go out before noon; the on-call person approves.',
    'test-data': 'Seeds live in test/seeds; never copy from production.',
  }
  // An agent keeps something only where it has a run.
  await world.agent('POST', '/api/runs', { workflow: 'bugfix', project })
  for (const [key, value] of Object.entries(memories)) {
    await world.agent('PUT', `/api/memory/${key}${query}`, { value, tags: ['team'] })
  }
  const tasks = ['Drop the old cart endpoint', 'Write the changelog of 2.4.1', 'Add an index']
  for (const [priority, title] of tasks.entries()) {
    await world.agent('POST', `/api/tasks${query}`, { title, priority, tags: ['release'] })
  }
  const found = await world.agent('GET', `/api/tasks${query}`)
  await world.agent('POST', `/api/tasks/${found.tasks[0].task_id}/claim${query}`, {})
}

/** A session that has done its work and waits for the next word. */
export async function talkedSession(world: DashboardWorld): Promise<string> {
  await startScripted(world, 'slow')
  const sessionId = await startScripted(world, 'fix', { workflow: 'bugfix' })
  const text = 'The total of the cart is off by a cent. Find out why.'
  await world.person('POST', `/api/sessions/${sessionId}/input`, { text })
  for (let look = 0; look < 100; look++) {
    const { kind, conversation } = await world.person('GET', `/api/sessions/${sessionId}`)
    if (kind === 'ready' && conversation.length > 5) return sessionId
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the session did not end its turn')
}

/**
 * Some days of work before today. Nobody has the time to wait for them, so that what was recorded
 * is copied into the past, as other runs that have ended.
 */
export async function withPast(world: DashboardWorld): Promise<void> {
  await world.restart(async () => {
    const file = new DatabaseSync(join(world.folder, 'data', 'statewright.db'))
    const columns = (table: string, without: readonly string[]) =>
      file
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name))
        .filter((name) => !without.includes(name))
    const runs = columns('runs', ['place', 'run_id', 'status', 'updated_at']).join(', ')
    const approvals = columns('approvals', [
      ...['place', 'approval_id', 'run_id', 'status', 'opened_at', 'resolved_at'],
    ]).join(', ')
    for (let round = 1; round <= 40; round++) {
      // Some hours are busier than others, and nights are quiet.
      const back = Math.round(round * 1.7 + (round % 3)) * 3_600_000
      const some = `abs(random()) % 10 < ${2 + ((round * 7) % 8)}`
      const name = (column: string) => `${column} || '-${round}'`
      file.exec(`
        insert into runs (run_id, status, updated_at, ${runs})
          select ${name('run_id')}, iif(status = 'completed', status, 'stopped'),
            updated_at - ${back}, ${runs} from runs
          where run_id not like '%-_' and run_id not like '%-__';
        insert into entries (run_id, seq, hash, call_id, entry)
          select ${name('run_id')}, seq, hash, call_id,
            json_set(entry, '$.at', json_extract(entry, '$.at') - ${back})
          from entries where run_id not like '%-_' and run_id not like '%-__' and ${some};
        insert into approvals (approval_id, run_id, status, opened_at, resolved_at, ${approvals})
          select ${name('approval_id')}, ${name('run_id')}, 'approved', opened_at - ${back},
            opened_at - ${back} + 20000 + abs(random()) % 900000, ${approvals}
          from approvals
          where approval_id not like '%-_' and approval_id not like '%-__' and ${some};
      `)
    }
    file.close()
  })
}
