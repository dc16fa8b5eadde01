import { afterAll, afterEach, beforeAll } from 'vitest'
import { openPostgresStore } from '../../packages/server/src/store/postgres/open-postgres-store.ts'
import type { Store } from '../../packages/server/src/store/store.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/testing/postgres.ts'

/** One Postgres for a file of tests; stores and databases go away with each test. */
export interface PostgresStores {
  postgres(): TestPostgres
  openNode(databaseUrl: string): Promise<Store>
  /** Closed when the test ends. */
  keep(one: { close(): Promise<void> }): void
}

export function postgresStores(): PostgresStores {
  let postgres: TestPostgres | undefined
  const opened: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)

  afterAll(() => postgres?.stop(), 30_000)

  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close().catch(() => {})
    await postgres?.dropDatabases()
  })

  return {
    postgres() {
      if (postgres === undefined) throw new Error('Postgres was not started yet')
      return postgres
    },
    async openNode(databaseUrl) {
      const store = await openPostgresStore({ databaseUrl, poolSize: 4 })
      opened.push(store)
      return store
    },
    keep: (one) => void opened.push(one),
  }
}

export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 1500) throw new Error('it did not come to pass within thirty seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
