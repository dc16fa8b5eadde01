import type { DashboardWorld } from './world.ts'

/** What some agents did, as it would look on a working day. */
export interface Story {
  /** In a detour because a migration was touched, after some denials. */
  readonly interrupted: string
  /** Waits for a person to approve a move. */
  readonly parked: string
  /** Waits for a person to allow a command. */
  readonly asking: string
  /** Two branches at work. */
  readonly forked: string
  /** The same denial again and again. */
  readonly stuck: string
  readonly done: string
}

export async function tellStory(world: DashboardWorld): Promise<Story> {
  const done = await fixedBug(world)
  const interrupted = await interruptedFix(world)
  const stuck = await stuckAgent(world)
  const forked = await world.run('review')
  await world.check(forked, 'Grep', { pattern: 'eval\\(' })
  await world.move(forked, 'SPLIT')
  await world.check(forked, 'Read', { file_path: 'src/login.ts' })
  const asking = await world.run('deploy')
  await world.check(asking, 'Read', { file_path: 'CHANGELOG.md' }, 'd1')
  await world.result(asking, 'd1', { bytes: 4200, cost_usd: 0.012 })
  await world.check(asking, 'Bash', { command: 'npm publish --dry-run' }, 'd2')
  const parked = await world.run('deploy')
  await world.check(parked, 'Grep', { pattern: 'version', path: 'package.json' }, 'p1')
  await world.result(parked, 'p1', { bytes: 310 })
  await world.move(parked, 'READY', { version: '2.4.1', risk: 'medium' })
  return { interrupted, parked, asking, forked, stuck, done }
}

async function fixedBug(world: DashboardWorld): Promise<string> {
  const run = await world.run('bugfix', { ticket: 'BUG-1041' })
  await world.check(run, 'Read', { file_path: 'src/cart.ts' }, 'a1')
  await world.result(run, 'a1', { bytes: 9120, cost_usd: 0.031 })
  await world.move(run, 'FOUND', { cause: 'Rounding before the sum instead of after it.' })
  const edit = {
    file_path: 'src/cart.ts',
    old_string: 'round(a) + round(b)',
    new_string: 'round(a + b)',
  }
  await world.check(run, 'Edit', edit, 'a2')
  await world.result(run, 'a2', { bytes: 60, cost_usd: 0.022 })
  await world.move(run, 'FIXED')
  await world.move(run, 'PASSED')
  await world.check(run, 'Bash', { command: 'npm test' }, 'a3')
  await world.result(run, 'a3', { bytes: 1800, cost_usd: 0.009 })
  await world.move(run, 'PASSED')
  return run
}

async function interruptedFix(world: DashboardWorld): Promise<string> {
  const run = await world.run('bugfix')
  await world.check(run, 'Grep', { pattern: 'total' }, 'b1')
  await world.result(run, 'b1', { bytes: 2210, cost_usd: 0.018 })
  await world.check(run, 'Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, 'b2')
  await world.move(run, 'FIXED')
  await world.move(run, 'FOUND', { cause: 'The index on orders is missing.' })
  const file_path = 'db/2026/07-orders-index.sql'
  await world.check(run, 'Write', { file_path, content: 'create index orders_by_day;\n' }, 'b3')
  await world.result(run, 'b3', { bytes: 40, cost_usd: 0.027 })
  await world.check(run, 'Bash', { command: 'psql -c "drop table orders"' }, 'b4')
  return run
}

async function stuckAgent(world: DashboardWorld): Promise<string> {
  const run = await world.run('bugfix', { ticket: 'BUG-1055' })
  await world.check(run, 'Read', { file_path: 'README.md' })
  for (const command of ['npm test', 'npm test -- --watch=false', 'npx vitest run']) {
    await world.check(run, 'Bash', { command })
  }
  return run
}
