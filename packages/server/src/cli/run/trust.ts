import { own } from '@statewright/core/internal'
import { endpoints, type UnjudgedCalls } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, type JsonOption, printJson, say, withServer } from '../command.ts'
import { resolveRun } from './refs.ts'

/** What runs have gone past us, by their ids; empty where the server cannot say. */
export async function unjudgedRuns(client: Client): Promise<ReadonlyMap<string, UnjudgedCalls>> {
  const trust = await client.call(endpoints.getTrust, {})
  return new Map(trust.ok ? Object.entries(trust.value.unjudged.runs) : [])
}

/** Lines below a run that must not be overlooked. */
export async function trustLines(client: Client, runId: string): Promise<string[]> {
  const trust = await client.call(endpoints.getTrust, {})
  if (!trust.ok) return []
  const { mode, unjudged } = trust.value
  const lines: string[] = []
  const found = own(unjudged.runs, runId)
  if (found !== undefined) {
    const calls = found.count === 1 ? '1 call' : `${found.count} calls`
    lines.push(`  UNJUDGED: ${calls} of the client ran without being checked`)
    if (found.blocks) lines.push(`  held:     until "statewright run trust ${runId}"`)
  }
  if (mode === 'observe')
    lines.push(
      '  observed: calls that would be denied pass and are counted, except on Statewright itself',
    )
  return lines
}

/** `statewright run trust RUN`: a person has looked at what nobody judged. */
export async function trustRun(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const lifted = await call(client, endpoints.trustRun, { params: { id } })
    if (options.json === true) printJson(lifted)
    else say('The run continues. What happened stays in its history.')
  })
}
