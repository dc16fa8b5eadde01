import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { BoundedMap } from '@statewright/core/internal'
import { restoredRow, storable } from '../storable-text.ts'
import { sqliteFault } from './faults.ts'

export type Durability = 'crash' | 'power'

export interface DatabaseOptions {
  readonly path: string
  readonly durability: Durability
  readonly isReader?: boolean
  /** Bounds the file, so that tests can fill it. */
  readonly maxPages?: number | undefined
}

const cachedStatements = 200

/** One connection, with its statements prepared once. Every fault of it is a `StoreFault`. */
export class Database {
  readonly path: string
  readonly #db: DatabaseSync
  readonly #statements = new BoundedMap<string, StatementSync>(cachedStatements)

  constructor({ path, durability, isReader = false, maxPages }: DatabaseOptions) {
    this.path = path
    this.#db = this.#guarded(() => new DatabaseSync(path, { readOnly: isReader, timeout: 5000 }))
    this.#guarded(() => {
      if (!isReader) this.#db.exec('PRAGMA journal_mode = WAL')
      // FULL waits for the disk at each commit; NORMAL outlives a kill, but not a power cut.
      this.#db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
      this.#db.exec('PRAGMA cache_size = -16384')
      // Moving pages from the log into the file stops all writing: seldom and more at a time.
      this.#db.exec('PRAGMA wal_autocheckpoint = 4000')
      this.#db.exec('PRAGMA journal_size_limit = 67108864')
      if (maxPages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${maxPages}`)
    })
  }

  /** Runs a statement that changes rows, and says how many. */
  run(sql: string, ...parameters: readonly SQLInputValue[]): number {
    return this.#guarded(() => Number(this.#prepared(sql).run(...parameters.map(bound)).changes))
  }

  /** Inserts a row and gives back the number that it got. */
  insert(sql: string, ...parameters: readonly SQLInputValue[]): number {
    return this.#guarded(() =>
      Number(this.#prepared(sql).run(...parameters.map(bound)).lastInsertRowid),
    )
  }

  /** The row that a change gives back by RETURNING, or that a query finds. */
  get<Row extends object>(sql: string, ...parameters: readonly SQLInputValue[]): Row | undefined {
    const row = this.#guarded(() => this.#prepared(sql).get(...parameters.map(bound)))
    // The caller names the columns of its own statement; the suite reads every one of them.
    return row === undefined ? undefined : (restoredRow(row) as Row)
  }

  all<Row extends object>(sql: string, ...parameters: readonly SQLInputValue[]): Row[] {
    const rows = this.#guarded(() => this.#prepared(sql).all(...parameters.map(bound)))
    // As above.
    return rows.map((row) => restoredRow(row) as Row)
  }

  execute(sql: string): void {
    this.#guarded(() => this.#db.exec(sql))
  }

  /**
   * Everything that `work` writes, or nothing. It is rolled back when `work` throws, or says that
   * nothing is to be kept.
   */
  transact<Result>(work: () => Result, keep: (result: Result) => boolean): Result {
    this.begin()
    let result: Result
    try {
      result = work()
      if (keep(result)) {
        this.commit()
        return result
      }
    } catch (error) {
      this.rollBack()
      throw error
    }
    this.rollBack()
    return result
  }

  /** Reads that belong together, while another thread may write. */
  readTogether<Result>(read: () => Result): Result {
    if (this.isTransaction) return read()
    this.run('BEGIN')
    try {
      return read()
    } finally {
      this.rollBack()
    }
  }

  get isTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** Begins a transaction that stays open until it is committed or rolled back. */
  begin(): void {
    this.run('BEGIN IMMEDIATE')
  }

  commit(): void {
    this.run('COMMIT')
  }

  /** SQLite has rolled back by itself after some faults, a full disk among them. */
  rollBack(): void {
    if (this.#db.isTransaction) this.run('ROLLBACK')
  }

  close(): void {
    if (!this.#db.isOpen) return
    this.#statements.clear()
    this.#guarded(() => this.#db.close())
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw sqliteFault(error, this.path)
    }
  }
}

function bound(value: SQLInputValue): SQLInputValue {
  return typeof value === 'string' ? storable(value) : value
}
