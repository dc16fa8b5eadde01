import { parseDefinition } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { asker, type RemoteOptions } from './remote-ask.ts'
import { remoteRun } from './remote-run.ts'
import { type People, type Statewright, StatewrightError } from './statewright.ts'

/** Statewright on a server: the same verbs over its HTTP API. */
export function connectStatewright(options: RemoteOptions): Statewright {
  const ask = asker(options)
  return {
    start: async (body) => remoteRun(ask, (await ask(endpoints.startRun, { body })).run_id),
    run: (runId) => remoteRun(ask, runId),
    close: async () => {},
  }
}

/** What people do on a server; the token has to be a person's. */
export function connectPeople(options: RemoteOptions): People {
  const ask = asker(options)
  return {
    async save(definition) {
      const { kind, name: given } = named(definition)
      const body = typeof definition === 'string' ? definition : JSON.stringify(definition)
      const row = kind === 'workflow' ? endpoints.saveWorkflow : endpoints.saveProcess
      const { name, version } = await ask(row, { params: { name: given }, body })
      return { name, version }
    },
    async approvals() {
      const query = { status: 'waiting', limit: 500 } as const
      const { approvals } = await ask(endpoints.listApprovals, { query })
      return approvals.map(({ approval_id, run_id, kind, message }) => {
        return { approvalId: approval_id, runId: run_id, kind, message }
      })
    },
    async approve(id, note) {
      await ask(endpoints.approve, { params: { id }, body: { note } })
    },
    async reject(id, reason) {
      await ask(endpoints.reject, { params: { id }, body: { reason } })
    },
  }
}

function named(definition: object | string) {
  const parsed = parseDefinition(definition)
  const name = parsed.kind === 'workflow' ? parsed.definition?.id : parsed.definition?.name
  if (name !== undefined) return { kind: parsed.kind, name }
  const [first] = parsed.findings
  throw new StatewrightError('definition_invalid', first?.message ?? 'It cannot be read.')
}
