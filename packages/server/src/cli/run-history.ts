import { pipeline } from 'node:stream/promises'
import { ask, type JsonOption, orRefuse, printJson, withServer } from './command.ts'
import { printable } from './report.ts'
import { resolveRun, runPath } from './run-refs.ts'
import { Anything, RunLine } from './shapes.ts'

/** `statewright run export RUN` writes the run with its definition and history to stdout. */
export async function exportRun(given: string): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const { body } = orRefuse(await client.open({ path: runPath(id, '/export') }))
    if (body !== null) await pipeline(body, process.stdout, { end: false })
    process.stdout.write('\n')
  })
}

/** `statewright run replay RUN`: where it stood after an entry, by playing its history again. */
export async function replayRun(
  given: string,
  options: JsonOption & { readonly seq?: string },
): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const query = options.seq === undefined ? '' : `?seq=${encodeURIComponent(options.seq)}`
    const path = runPath(id, `/replay${query}`)
    if (options.json === true) {
      printJson(await ask(client, { path }, Anything))
      return
    }
    const { seq, status, state } = await ask(client, { path }, RunLine)
    const line = `after entry ${String(seq)}: ${status} in ${state}`
    process.stdout.write(`${printable(line)}\n`)
  })
}
