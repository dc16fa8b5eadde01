import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretLines } from '../../packages/server/src/base/secret-lines.test-kit.ts'
import { bound, GuardedClient } from './guarded-client.test-kit.ts'

const definition = {
  id: 'open',
  initial: 'working',
  context: {},
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  meta: { capture_output: true },
  evidence: { any: { tool: 'Bash' } },
}

let client: GuardedClient

beforeAll(async () => {
  client = new GuardedClient()
  await client.start(definition)
  for (const { line } of secretLines) {
    const callId = client.newCallId()
    const input = { command: line, description: line }
    await client.before('Bash', input, callId)
    await client.after('Bash', input, callId, false, { stdout: line })
    await client.before('Write', { file_path: `${client.project}/x`, content: line })
  }
}, 120_000)
afterAll(() => client.close())

/** All that the server has written down, as bytes. */
function written(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'))
    .join('\n')
}

test.each(secretLines)(
  'WF-34: nothing on the disk holds the secret of: $line',
  bound,
  ({ secret }) => {
    expect(written(client.data).includes(secret)).toBe(false)
  },
)
