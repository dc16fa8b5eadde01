import { openPostgresStore } from './postgres/open-postgres-store.ts'
import type { Durability } from './sqlite/database.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

export interface OpenStore {
  /** Where given, state is kept in this Postgres, which other nodes may share. */
  readonly databaseUrl?: string | undefined
  /** Otherwise in this folder, for one server alone. */
  readonly folder: string
  readonly durability: Durability
}

/** Opens the store that the configuration names; every fault on the way is a `StoreFault`. */
export function openStore({ databaseUrl, folder, durability }: OpenStore): Promise<Store> {
  if (databaseUrl !== undefined) return openPostgresStore({ databaseUrl })
  return openSqliteStore({ folder, durability })
}
