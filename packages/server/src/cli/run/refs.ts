import { endpoints } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, refuse } from '../command.ts'

const wholeId = /^run_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const maxLooked = 500

/**
 * A run as people name it: its id, the beginning of one as lists show it, or `session:` and the
 * name of a client session. Between two it is never guessed.
 */
export async function resolveRun(client: Client, given: string): Promise<string> {
  if (wholeId.test(given) || given.startsWith('session:')) return given
  if (given.length < 4) {
    return refuse({
      code: 'usage',
      message: `"${given}" is too short to identify a run.`,
      where: 'run',
      next: 'copy it from "statewright run list".',
    })
  }
  const { runs } = await call(client, endpoints.listRuns, { query: { limit: maxLooked } })
  const wanted = given.startsWith('run_') ? given : `run_${given}`
  const found = runs.filter((run) => run.run_id.startsWith(wanted))
  if (found.length === 1 && found[0] !== undefined) return found[0].run_id
  if (found.length === 0) return given
  return refuse({
    code: 'usage',
    message: `${found.length} runs begin with "${given}".`,
    where: 'run',
    next: `say which: ${found
      .slice(0, 5)
      .map((run) => run.run_id)
      .join(', ')}.`,
  })
}

/** As much of an id as tells it from others in nearly every list. */
export function shortId(id: string): string {
  const [prefix = '', rest = ''] = id.split('_', 2)
  return rest === '' ? id : `${prefix}_${rest.slice(0, 8)}`
}
