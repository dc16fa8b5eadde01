import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Testbed } from '../../packages/server/testing/testbed.ts'
import { acceptConfig } from '../support/accept-config.ts'
import { relayWithKey } from './keyed-relay.ts'

/** Lets everything pass and writes everything down: what is looked at is the protocol. */
const openWorkflow = {
  id: 'open',
  initial: 'working',
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}

/** A real server with one upstream, and a run that judges every call of the agent. */
export async function guardedGateway(upstream: object) {
  const testbed = new Testbed()
  const asks = { sampling: 'allow', elicitation: 'allow' }
  const config = { upstreams: { conformance: { ...upstream, ...asks } } }
  // JSON is YAML as well.
  writeFileSync(join(testbed.project, 'statewright.yaml'), JSON.stringify(config))
  const { ready, talk } = await testbed.up('--test-person')
  await acceptConfig(ready)
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const api = async (method: string, path: string, body: object, token?: string): Promise<any> => {
    const response = await fetch(`${ready.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  await api('PUT', '/api/workflows/open', openWorkflow, ready.person_token)
  const { token } = await api(
    'POST',
    '/api/tokens',
    { kind: 'agent', name: 'a' },
    ready.person_token,
  )
  const { run_id } = await api('POST', '/api/runs', { workflow: 'open' }, token)
  const relay = await relayWithKey(new URL(ready.url), token)
  return {
    url: relay.url,
    serverUrl: ready.url,
    token: String(token),
    talk,
    /** What the run wrote down of the calls that passed. */
    async callEntries(): Promise<readonly { type: string; tool?: string }[]> {
      const path = `/api/runs/${run_id}/entries?limit=1000`
      const { entries } = await api('GET', path, {}, ready.person_token)
      return entries
    },
    async close() {
      await relay.close()
      testbed.close()
    },
  }
}
