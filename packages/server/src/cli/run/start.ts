import { type BodyFor, endpoints } from '@statewright/core/wire'
import { projectRoot } from '../../home/folders.ts'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  readObjectOption,
  refuse,
  say,
  withServer,
} from '../command.ts'
import { readDefinitionFile } from '../definition/file.ts'
import { printable } from '../output/report.ts'

export interface StartOptions extends JsonOption {
  readonly process?: true
  readonly definition?: string
  readonly context?: string
  readonly session?: string
  readonly task?: string
  readonly project?: string
  readonly workspace?: string
  readonly resume?: true
  readonly agent?: string
}

/** `statewright run start [NAME]`: standard output is the id of the run and nothing else. */
export async function startRun(name: string | undefined, options: StartOptions): Promise<void> {
  await withServer(async (client) => {
    const body = {
      ...what(name, options),
      context: orRefuse(readObjectOption(options.context, '--context')),
      task: options.task,
      session: options.session,
      resume: options.resume,
      agent: options.agent,
      project: options.project ?? projectRoot(process.cwd()),
      workspace: options.workspace ?? process.cwd(),
    }
    const run = await call(client, endpoints.startRun, { body })
    if (options.json === true) {
      printJson(run)
      return
    }
    process.stdout.write(`${run.run_id}\n`)
    say(printable(`${run.resumed ? 'resumed' : 'started'} ${run.workflow} in ${run.state}`))
  })
}

type What = Pick<BodyFor<typeof endpoints.startRun>, 'workflow' | 'process' | 'definition'>

function what(name: string | undefined, options: StartOptions): What {
  const { definition, process: isProcess } = options
  if ((name === undefined) === (definition === undefined)) {
    return refuse({
      code: 'usage',
      message: 'Name a saved workflow, or a file with --definition, and not both.',
      where: 'run start',
      next: 'list what is saved with "statewright workflow list".',
    })
  }
  if (definition === undefined) return isProcess === true ? { process: name } : { workflow: name }
  const file = orRefuse(readDefinitionFile(definition))
  if ('text' in file) return { definition: file.text }
  return refuse({ code: 'definition_invalid', message: file.fault.message, where: definition })
}
