import { endpoints, type RunLine } from '@statewright/core/wire'
import { call, type JsonOption, printJson, say, withServer } from '../command.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { ago } from '../output/times.ts'
import { shortId } from './refs.ts'
import { unjudgedRuns } from './trust.ts'

export interface ListOptions extends JsonOption {
  readonly status?: string
  readonly workflow?: string
  readonly project?: string
  readonly limit: string
  readonly ids?: true
}

/** `statewright run list`; with --json one run per line. */
export async function listRuns(options: ListOptions): Promise<void> {
  await withServer(async (client) => {
    const { status, workflow, project, limit } = options
    const query = { status, workflow, project, limit }
    const { runs, next } = await call(client, endpoints.listRuns, { query })
    if (options.ids === true) {
      for (const { run_id } of runs) process.stdout.write(`${printable(run_id)}\n`)
      return
    }
    if (options.json === true) {
      for (const run of runs) printJson(run)
    } else if (runs.length > 0) {
      process.stdout.write(`${table(runs, columnsFor(runs), terminalWidth())}\n`)
      const unjudged = await unjudgedRuns(client)
      for (const { run_id } of runs.filter((run) => unjudged.has(run.run_id))) {
        say(`${run_id}: calls ran without being checked; see "statewright run show".`)
      }
    }
    if (runs.length === 0) say('No runs. Start one with "statewright run start <workflow>".')
    else if (next !== null) say(`There are more; show up to 500 with --limit.`)
  })
}

/** A run whose agent switched its rules off must not look like one that is held. */
function statusOf({ status, unguarded }: RunLine): string {
  return unguarded ? `${status}, unguarded` : status
}

/** On a terminal what is empty in every row takes no room; a pipe has always the same columns. */
function columnsFor(runs: readonly RunLine[]): Column<RunLine>[] {
  const isTerminal = terminalWidth() !== undefined
  const isShown = (has: (run: RunLine) => boolean) => !isTerminal || runs.some(has)
  const columns: (Column<RunLine> & { readonly isShown?: boolean })[] = [
    { title: 'RUN', text: (run) => (isTerminal ? shortId(run.run_id) : run.run_id) },
    { title: 'STATUS', text: statusOf },
    { title: 'WORKFLOW', text: (run) => run.workflow, gives: true },
    { title: 'STATE', text: (run) => run.state, gives: true },
    {
      title: 'AGENT',
      text: (run) => run.agent_name ?? '',
      gives: true,
      isShown: isShown((run) => run.agent_name !== undefined),
    },
    { title: 'CALLS', text: (run) => `${run.calls}` },
    { title: 'DENIED', text: (run) => `${run.denials}` },
    { title: 'PASSED', text: (run) => `${run.passed}`, isShown: isShown((run) => run.passed > 0) },
    { title: 'CHANGED', text: (run) => ago(run.updated_at) },
  ]
  return columns.filter((column) => column.isShown !== false)
}
