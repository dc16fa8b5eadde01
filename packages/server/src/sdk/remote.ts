import { type JsonObject, parseDefinition } from '@statewright/core'
import { z } from 'zod'
import { asker, type RemoteOptions } from './remote-ask.ts'
import { remoteRun } from './remote-run.ts'
import { type Statewright, StatewrightError } from './statewright.ts'

const Saved = z.looseObject({ name: z.string(), version: z.number() })
const Started = z.looseObject({ run_id: z.string() })
const Approvals = z.looseObject({
  approvals: z.array(
    z.looseObject({
      approval_id: z.string(),
      run_id: z.string(),
      kind: z.string(),
      message: z.string(),
    }),
  ),
})
const Anything = z.looseObject({})

/** Statewright on a server: the same verbs over its HTTP API. */
export function connectStatewright(options: RemoteOptions): Statewright {
  const ask = asker(options)
  const resolve = async (id: string, verb: 'approve' | 'reject', body: JsonObject) => {
    await ask('POST', `/api/approvals/${encodeURIComponent(id)}/${verb}`, Anything, body)
  }
  return {
    async save(definition) {
      const { folder, name } = placeOf(definition)
      const path = `/api/${folder}/${encodeURIComponent(name)}`
      const saved = await ask('PUT', path, Saved, definition)
      return { name: saved.name, version: saved.version }
    },
    async start(run) {
      const { run_id } = await ask('POST', '/api/runs', Started, run)
      return remoteRun(ask, run_id)
    },
    run: (runId) => remoteRun(ask, runId),
    async approvals() {
      const { approvals } = await ask('GET', '/api/approvals?status=waiting', Approvals)
      return approvals.map(({ approval_id, run_id, kind, message }) => {
        return { approvalId: approval_id, runId: run_id, kind, message }
      })
    },
    approve: (id, note) => resolve(id, 'approve', note === undefined ? {} : { note }),
    reject: (id, reason) => resolve(id, 'reject', { reason }),
    close: async () => {},
  }
}

function placeOf(definition: object | string): { folder: string; name: string } {
  const parsed = parseDefinition(definition)
  const name = parsed.kind === 'workflow' ? parsed.definition?.id : parsed.definition?.name
  if (name === undefined) {
    const [first] = parsed.findings
    throw new StatewrightError('definition_invalid', first?.message ?? 'It cannot be read.')
  }
  return { folder: parsed.kind === 'workflow' ? 'workflows' : 'processes', name }
}
