import { join } from 'node:path'
import { startPostgres } from '../../packages/server/testing/postgres.ts'
import { Testbed } from '../../packages/server/testing/testbed.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Any = any

/** Two real servers on one Postgres, with a person and an agent that both know. */
export interface TwoNodes {
  readonly urls: readonly string[]
  readonly person: string
  readonly agent: string
  ask(node: number, method: string, path: string, token: string, body?: object): Promise<Any>
  close(): Promise<void>
}

export async function startTwoNodes(): Promise<TwoNodes> {
  const testbed = new Testbed()
  const postgres = await startPostgres()
  const database = await postgres.database()
  const urls: string[] = []
  let person = ''
  for (const name of ['one', 'two']) {
    const { ready } = await testbed.up(
      ...['--database-url', database, '--data', join(testbed.folder, name), '--test-person'],
    )
    urls.push(ready.url)
    if (person === '') person = ready.person_token ?? ''
  }
  const ask: TwoNodes['ask'] = async (node, method, path, token, body) => {
    const answer = await fetch(`${urls[node]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const minted = await ask(0, 'POST', '/api/tokens', person, { kind: 'agent', name: 'a' })
  return {
    urls,
    person,
    agent: minted.token,
    ask,
    close: async () => {
      testbed.close()
      await postgres.stop()
    },
  }
}
