import {
  ask,
  type JsonOption,
  orRefuse,
  printJson,
  readJsonOption,
  say,
  saySentence,
  withServer,
} from './command.ts'
import { printable } from './report.ts'
import { resolveRun, runPath } from './run-refs.ts'
import { Moved, RunLine } from './shapes.ts'

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
    const body = {
      event,
      ...(options.data === undefined
        ? {}
        : { data: orRefuse(readJsonOption(options.data, '--data')) }),
      ...(options.branch === undefined ? {} : { branch: options.branch }),
    }
    const path = runPath(id, '/transition')
    const moved = await ask(client, { method: 'POST', path, body }, Moved)
    const waits = moved.status === 'pending_approval'
    if (options.json === true) printJson(moved)
    else if (waits) process.stdout.write(`Approval needed: ${moved.approval_id}\n`)
    else process.stdout.write(`${printable(String(moved.state))}\n`)
    if (moved.interrupted === true) say(`${event} was not taken: a detour came first.`)
    if (waits) {
      saySentence(`Approve it with "statewright approval approve ${String(moved.approval_id)}".`)
      process.exitCode = 5
    }
  })
}

/** `statewright run pause|resume|stop RUN` */
export function changeRun(verb: 'pause' | 'resume' | 'stop') {
  return (given: string, options: JsonOption) => change(given, verb, {}, options)
}

export interface ForceOptions extends JsonOption {
  readonly context?: string
}

/** `statewright run force RUN STATE` */
export function forceRun(given: string, state: string, options: ForceOptions): Promise<void> {
  const { context } = options
  return change(
    given,
    'force',
    () => ({
      state,
      ...(context === undefined ? {} : { context: orRefuse(readJsonOption(context, '--context')) }),
    }),
    options,
  )
}

async function change(
  given: string,
  verb: string,
  makeBody: object | (() => object),
  options: JsonOption,
): Promise<void> {
  await withServer(async (client) => {
    const body = typeof makeBody === 'function' ? makeBody() : makeBody
    const id = await resolveRun(client, given)
    const path = runPath(id, `/${verb}`)
    const run = await ask(client, { method: 'POST', path, body }, RunLine)
    if (options.json === true) printJson(run)
    else process.stdout.write(`${printable(`${run.status} in ${run.state}`)}\n`)
  })
}
