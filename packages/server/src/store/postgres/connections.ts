import pg from 'pg'
import { restoredRow, storableValue } from '../storable-text.ts'
import { postgresFault } from './faults.ts'

export interface ConnectionOptions {
  readonly databaseUrl: string
  readonly poolSize: number
}

const connectMs = 5000
const statementMs = 10_000

/** Connections to one database; a lost one is replaced when the next statement needs it. */
export class Connections {
  /** The address without user and password, for messages. */
  readonly where: string
  readonly #pool: pg.Pool
  readonly #config: pg.ClientConfig

  constructor({ databaseUrl, poolSize }: ConnectionOptions) {
    this.where = shownAddress(databaseUrl)
    this.#config = {
      connectionString: databaseUrl,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: statementMs + 2000,
      keepAlive: true,
      application_name: 'statewright',
      types: { getTypeParser: parserOf },
    }
    // With pipelines, what belongs together goes out together and costs one round trip.
    this.#pool = new pg.Pool({ ...this.#config, max: poolSize, pipeline: true })
    // A connection that breaks is told to whoever awaits a statement on it. Without these two the
    // process would end instead, whether the connection was idle or at work.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** One statement, prepared once per connection when it has a name. */
  async query<Row extends object>(statement: NamedStatement): Promise<pg.QueryResult<Row>> {
    try {
      return await runOn<Row>(this.#pool, statement)
    } catch (error) {
      throw postgresFault(error, this.where)
    }
  }

  /** A connection for a transaction. It is thrown away when anything fails in between. */
  async withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw postgresFault(error, this.where)
    }
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** A connection outside the pool: it listens, or migrates, for as long as it likes. */
  async dedicated(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, statement_timeout: 0, query_timeout: 0 })
    // Told to anyone who awaits the next statement, or by the event `end`.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw postgresFault(error, this.where)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

export interface NamedStatement {
  readonly name?: string
  readonly text: string
  readonly values: readonly unknown[]
}

export async function runOn<Row extends object>(
  client: pg.Pool | pg.ClientBase,
  { name, text, values }: NamedStatement,
): Promise<pg.QueryResult<Row>> {
  const config = { text, values: values.map(bound), ...(name === undefined ? {} : { name }) }
  const result = await client.query<Row>(config)
  return { ...result, rows: result.rows.map(restoredRow) }
}

function bound(value: unknown): unknown {
  return Array.isArray(value) ? value.map(storableValue) : storableValue(value)
}

const int8 = 20

/** Our whole numbers stay below 2^53; as text they would add up wrongly. */
function parserOf(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === int8 && format !== 'binary') return Number
  // The types of `pg` know one format at a time.
  return pg.types.getTypeParser(oid, format as 'text')
}

function shownAddress(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  return url === null ? 'Postgres' : `${url.protocol}//${url.host}${url.pathname}`
}
