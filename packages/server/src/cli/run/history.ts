import { pipeline } from 'node:stream/promises'
import { escapeHidden } from '@statewright/core/internal'
import { endpoints, requestFor } from '@statewright/core/wire'
import { call, type JsonOption, orRefuse, printJson, withServer } from '../command.ts'
import { printable } from '../output/report.ts'
import { resolveRun } from './refs.ts'

/** `statewright run export RUN` writes the run with its definition and history to stdout. */
export async function exportRun(given: string): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const { body } = orRefuse(
      await client.open(requestFor(endpoints.exportRun, { params: { id } })),
    )
    if (body !== null) await pipeline(body, escaped, process.stdout, { end: false })
    process.stdout.write('\n')
  })
}

/** The same JSON with nothing in it that a terminal would obey or hide. */
async function* escaped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield escapeHidden(decoder.decode(chunk, { stream: true }))
  yield escapeHidden(decoder.decode())
}

/** `statewright run replay RUN`: where it stood after an entry, by playing its history again. */
export async function replayRun(
  given: string,
  options: JsonOption & { readonly seq?: string },
): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const query = { seq: options.seq }
    const run = await call(client, endpoints.replayRun, { params: { id }, query })
    const line = `after entry ${run.seq}: ${run.status} in ${run.state}`
    if (options.json === true) printJson(run)
    else process.stdout.write(`${printable(line)}\n`)
  })
}
