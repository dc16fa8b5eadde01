import { endpoints, type Run } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  readObjectOption,
  say,
  saySentence,
  withServer,
} from '../command.ts'
import { printable } from '../output/report.ts'
import { resolveRun } from './refs.ts'

export interface TransitionOptions extends JsonOption {
  readonly data?: string
  readonly branch?: string
}

/** `statewright run transition RUN EVENT`; exits 5 when a person has to approve first. */
export async function sendEvent(
  given: string,
  event: string,
  options: TransitionOptions,
): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const data = orRefuse(readObjectOption(options.data, '--data'))
    const body = { event, data, branch: options.branch }
    const moved = await call(client, endpoints.sendEvent, { params: { id }, body })
    if (options.json === true) printJson(moved)
    if (moved.status === 'pending_approval') {
      if (options.json !== true) {
        process.stdout.write(`Approval needed: ${printable(moved.approval_id)}\n`)
      }
      saySentence(`Approve it with "statewright approval approve ${moved.approval_id}".`)
      process.exitCode = 5
      return
    }
    if (options.json !== true) process.stdout.write(`${printable(moved.state)}\n`)
    if (moved.interrupted === true) say(`${event} was not taken: an interrupt came first.`)
  })
}

/** `statewright run pause|resume|stop RUN` */
export function changeRun(verb: 'pauseRun' | 'resumeRun' | 'stopRun') {
  return (given: string, options: JsonOption) =>
    change(given, options, (client, id) =>
      call(client, endpoints[verb], { params: { id }, body: {} }),
    )
}

export interface ForceOptions extends JsonOption {
  readonly context?: string
}

/** `statewright run force RUN STATE` */
export function forceRun(given: string, state: string, options: ForceOptions): Promise<void> {
  return change(given, options, (client, id) => {
    const context = orRefuse(readObjectOption(options.context, '--context'))
    return call(client, endpoints.forceState, { params: { id }, body: { state, context } })
  })
}

async function change(
  given: string,
  options: JsonOption,
  send: (client: Client, id: string) => Promise<Run>,
): Promise<void> {
  await withServer(async (client) => {
    const run = await send(client, await resolveRun(client, given))
    if (options.json === true) printJson(run)
    else process.stdout.write(`${printable(`${run.status} in ${run.state}`)}\n`)
  })
}
