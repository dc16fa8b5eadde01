import { defined } from '@statewright/core/internal'
import { type Archive, endpoints } from '@statewright/core/wire'
import type { Command } from 'commander'
import { type VerifiedArchive, verifyArchive } from '../../archive/verify-archive.ts'
import { call, type JsonOption, printJson, refusable, refuse, say, withServer } from '../command.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { dateTime } from '../output/times.ts'

export function addArchive(program: Command): void {
  const archive = program
    .command('archive')
    .description('histories that have left the store ("keep" in the configuration)')
  archive
    .command('list')
    .description('show where archived histories are stored')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright archive list\n')
    .action((options: JsonOption) =>
      withServer(async (client) => {
        const known = await call(client, endpoints.getArchive, { query: {} })
        if (options.json === true) printJson(known)
        else printArchived(known)
      }),
    )
  archive
    .command('due')
    .description('show what is archived next, or would be; nothing is changed')
    .option('--keep <days>', 'such as 30d, as if the configuration said so')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright archive due --keep 90d\n')
    .action((options: DueOptions) =>
      withServer(async (client) => {
        const query = { limit: 500, ...defined({ keep: options.keep }) }
        const { due, keep } = await call(client, endpoints.getArchive, { query })
        if (options.json === true) printJson({ keep: options.keep ?? keep, ...due })
        else printDue(due, options.keep ?? keep)
      }),
    )
  archive
    .command('verify')
    .description('verify that archived histories are complete and unchanged, without a server')
    .argument('<paths...>', 'files or folders of an archive')
    .option('--json', 'print one JSON object')
    .addHelpText('after', verifyHelp)
    .action((paths: string[], options: JsonOption) => refusable(async () => verify(paths, options)))
}

interface DueOptions extends JsonOption {
  readonly keep?: string
}

const verifyHelp = `
Checks each chain from its first entry to the last, that the definition is the
one the run was bound to, and that the entries give the stored end. Exits with
3 when something is broken.

Example:
  statewright archive verify /var/lib/statewright/archive
`

function verify(paths: readonly string[], options: JsonOption): void {
  const runs = verifyArchive(paths)
  if (runs.length === 0) {
    refuse({
      code: 'file_unreadable',
      message: 'There is no archive of Statewright.',
      where: paths.join(', '),
      next: 'name its folder: "statewright archive list" shows it.',
    })
  }
  const ok = runs.every((run) => run.ok)
  if (options.json === true) printJson({ ok, runs: runs.map(wireVerified) })
  else {
    for (const run of runs) process.stdout.write(`${printable(verifiedLine(run))}\n`)
    say(`${runs.length} verified, ${runs.filter((run) => !run.ok).length} broken.`)
  }
  process.exitCode = ok ? 0 : 3
}

function wireVerified({ runId, ...rest }: VerifiedArchive) {
  return { run_id: runId, ...rest }
}

function verifiedLine({ runId, ok, entries, problem }: VerifiedArchive): string {
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`
  return `${runId}  ${ok ? `intact, ${count}` : `broken: ${problem ?? 'unknown'}`}`
}

type ArchivedRun = Archive['runs'][number]

function printArchived({ runs, archived, keep, folder, due }: Archive): void {
  const columns: Column<ArchivedRun>[] = [
    { title: 'RUN', text: (run) => run.run_id },
    { title: 'ENTRIES', text: (run) => String(run.seq) },
    { title: 'ARCHIVED', text: (run) => dateTime(run.archived_at) },
    { title: 'FILE', text: (run) => run.file },
  ]
  if (runs.length > 0) process.stdout.write(`${table(runs, columns, terminalWidth())}\n`)
  const rule = keep === null ? 'Nothing is archived: "keep" is not set.' : `Kept for ${keep}.`
  say(`${archived} archived, ${due.total} due. ${rule}`)
  say(`This server archives into ${folder}.`)
}

type DueRun = Archive['due']['first'][number]

function printDue({ total, first }: Archive['due'], keep: string | null): void {
  const columns: Column<DueRun>[] = [
    { title: 'RUN', text: (run) => run.run_id },
    { title: 'STATUS', text: (run) => run.status },
    { title: 'WORKFLOW', text: (run) => run.workflow },
    { title: 'ENTRIES', text: (run) => String(run.entries) },
    { title: 'ENDED', text: (run) => dateTime(run.ended_at) },
  ]
  if (first.length > 0) process.stdout.write(`${table(first, columns, terminalWidth())}\n`)
  if (keep === null) say('Nothing is archived: "keep" is not set. Try --keep 90d.')
  else say(`${total} runs ended more than ${keep} ago.`)
}
