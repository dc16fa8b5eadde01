import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DashboardWorld } from './world.ts'

/** Copies the row of one run many times, as nobody has the time to start so many. */
export function copyRuns(world: DashboardWorld, times: number): Promise<void> {
  return withDatabase(world, (file) => {
    const columns = file
      .prepare("select name from pragma_table_info('runs') where name not in ('run_id', 'place')")
      .all()
      .map(({ name }) => `"${name}"`)
      .join(', ')
    file.exec(`
      with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${times})
      insert into runs (run_id, place, ${columns})
      select 'run-copy-' || n, (select max(place) from runs) + n, ${columns}
      from counter, (select * from runs limit 1)
    `)
  })
}

/** Repeats the second entry of a run, a call, with other tools; what came after it is the end. */
export function repeatEntry(world: DashboardWorld, run: string, times: number): Promise<void> {
  return withDatabase(world, (file) => {
    file.exec(`
      update entries set seq = -seq where run_id = '${run}' and seq > 2;
      update entries set seq = -seq + ${times} where run_id = '${run}' and seq < 0;
      with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${times})
      insert into entries (run_id, seq, hash, call_id, entry)
      select run_id, 2 + n, hash, null, json_set(entry, '$.tool', 'tool_' || (n % 7))
      from counter, (select * from entries where run_id = '${run}' and seq = 2);
      update runs set seq = seq + ${times} where run_id = '${run}';
      update snapshots set seq = seq + ${times} where run_id = '${run}' and seq > 2;
    `)
  })
}

/** The server must not look while its file is changed behind its back. */
function withDatabase(world: DashboardWorld, change: (file: DatabaseSync) => void): Promise<void> {
  return world.restart(async () => {
    const file = new DatabaseSync(join(world.folder, 'data', 'statewright.db'))
    change(file)
    file.close()
  })
}
