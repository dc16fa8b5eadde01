import type { Durability } from './sqlite/database.ts'
import { openSqliteReader, openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

export interface OpenStore {
  /** Where given, state is kept in this Postgres, which other nodes may share. */
  readonly databaseUrl?: string | undefined
  /** Otherwise in this folder, for one server alone. */
  readonly folder: string
  readonly durability: Durability
}

/** Opens the store that the configuration names; every fault on the way is a `StoreFault`. */
export async function openStore({ databaseUrl, folder, durability }: OpenStore): Promise<Store> {
  if (databaseUrl !== undefined) {
    // Most servers have no Postgres, and need not wait for its client when they start.
    const { openPostgresStore } = await import('./postgres/open-postgres-store.ts')
    return openPostgresStore({ databaseUrl })
  }
  return openSqliteStore({ folder, durability })
}

/** Opens it for reading, beside the server that writes. */
export async function openReader({
  databaseUrl,
  folder,
}: Omit<OpenStore, 'durability'>): Promise<Store> {
  if (databaseUrl === undefined) return openSqliteReader(folder)
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts')
  return openPostgresStore({ databaseUrl })
}
