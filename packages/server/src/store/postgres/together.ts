import type { Statement } from '../queries/typed-queries.ts'
import { type Connections, runOn } from './connections.ts'
import { postgresFault } from './faults.ts'

/** Statements as one transaction; when the first changes nothing, none of them counts. */
export function runTogether(
  connections: Connections,
  statements: readonly Statement[],
): Promise<boolean> {
  return connections.withClient(async (client) => {
    try {
      await client.query('BEGIN')
      for (const [at, { sql, parameters }] of statements.entries()) {
        const { rowCount } = await runOn(client, { text: sql, values: parameters })
        if (at === 0 && rowCount === 0) {
          await client.query('ROLLBACK')
          return false
        }
      }
      await client.query('COMMIT')
      return true
    } catch (error) {
      throw postgresFault(error, connections.where)
    }
  })
}
