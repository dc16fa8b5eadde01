import { Archiver, archiveFolder } from '../archive/archiver.ts'
import type { Log } from '../observe/logger.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { closeAll } from './drain.ts'
import { Sweeper } from './sweeper.ts'

/** What a server does now and then, asked by nobody. Without a data folder nothing is archived. */
export function startSweeping(
  runtime: Runtime,
  log: Log,
  look: () => Promise<void>,
  { data, node }: { readonly data?: string; readonly node: string },
): { close(): Promise<void> } {
  const sweeper = new Sweeper(runtime, log, look)
  const archiver = data === undefined ? undefined : startArchiver(runtime, log, data, node)
  return { close: () => closeAll(sweeper, archiver) }
}

function startArchiver(runtime: Runtime, log: Log, data: string, node: string): Archiver {
  const folder = archiveFolder(data)
  return new Archiver(runtime, {
    folder,
    node,
    onArchived: (runs) => log.info({ runs, folder }, 'histories were archived'),
    onBroken: (run, problem) =>
      log.error({ alarm: true, run, problem }, 'a history is broken and was not archived'),
    onFault: (fault) => log.error({ err: fault }, 'histories could not be archived'),
  })
}
