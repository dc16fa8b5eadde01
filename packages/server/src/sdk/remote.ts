import { parseDefinition } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { type RemoteOptions, remote } from './remote-ask.ts'
import { remoteRun } from './remote-run.ts'
import { type People, type Statewright, StatewrightError } from './statewright.ts'

/**
 * Statewright on a server: the same verbs over its HTTP API, with the token of an agent.
 *
 * @example
 * import { connectStatewright } from 'statewright/sdk'
 *
 * const statewright = connectStatewright({ url: 'http://127.0.0.1:4747', token: 'sw_agent_…' })
 * const run = statewright.run('run_1')
 * console.log(run.id) // run_1
 */
export function connectStatewright(options: RemoteOptions): Statewright {
  const server = remote(options)
  return {
    async start(body) {
      return remoteRun(server, (await server.ask(endpoints.startRun, { body })).run_id)
    },
    run: (runId) => remoteRun(server, runId),
    close: async () => {},
  }
}

/**
 * What people do on a server; the token has to be a person's.
 *
 * @example
 * import { connectPeople } from 'statewright/sdk'
 *
 * const people = connectPeople({ url: 'http://127.0.0.1:4747', token: 'sw_person_…' })
 * const answerAll = async () => {
 *   for (const { approvalId } of await people.approvals()) await people.approve(approvalId)
 * }
 */
export function connectPeople(options: RemoteOptions): People {
  const { ask } = remote(options)
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
    async reject(id, note) {
      await ask(endpoints.reject, { params: { id }, body: { reason: note } })
    },
  }
}

function named(definition: object | string) {
  const parsed = parseDefinition(definition)
  const name = parsed.kind === 'workflow' ? parsed.definition?.id : parsed.definition?.name
  if (name !== undefined) return { kind: parsed.kind, name }
  const [first] = parsed.findings
  throw new StatewrightError(
    'definition_invalid',
    first?.message ?? 'The definition cannot be read.',
  )
}
