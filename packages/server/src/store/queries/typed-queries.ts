import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from '../rows.ts'

/** What carries out one statement: each query here is one, so none needs a transaction. */
export type Execute = (statement: Statement) => Promise<StatementResult>

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly isRead: boolean
}

export interface StatementResult {
  readonly rows: readonly object[]
  readonly changes: number
}

export type TypedQueries = Kysely<Tables>

/** Queries whose columns the compiler knows, for what is not on the path of a guarded call. */
export function typedQueries(kind: 'sqlite' | 'postgres', execute: Execute): TypedQueries {
  return new Kysely<Tables>({ dialect: kind === 'sqlite' ? sqlite(execute) : postgres(execute) })
}

function sqlite(execute: Execute): Dialect {
  return {
    createDriver: () => new SingleStatements(execute),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

function postgres(execute: Execute): Dialect {
  return {
    createDriver: () => new SingleStatements(execute),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

/** Hands each statement on; connections are the business of anyone who executes it. */
class SingleStatements implements Driver {
  readonly #connection: DatabaseConnection

  constructor(execute: Execute) {
    this.#connection = {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        const { sql, parameters } = query
        const isRead = query.query.kind === 'SelectQueryNode'
        const { rows, changes } = await execute({ sql, parameters, isRead })
        // Kysely worked the type out from the very statement that gave these rows.
        return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
      },
      streamQuery: () => {
        throw new Error('bug: nothing here streams')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('bug: a typed query is one statement')
  }

  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
