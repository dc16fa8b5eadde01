import type { Client } from './client.ts'
import { ask, type JsonOption, printJson, withServer } from './command.ts'
import { entrySentence } from './entry-lines.ts'
import { printable } from './report.ts'
import { resolveRun, runPath } from './run-refs.ts'
import { trustLines } from './run-trust.ts'
import { Anything, type Entry, EntryPage, RunDetails, RunPage } from './shapes.ts'
import { clockTime } from './times.ts'

export interface ShowOptions extends JsonOption {
  readonly branch?: string
  readonly entries: string
}

/** `statewright run show RUN` */
export async function showRun(given: string, options: ShowOptions): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const query =
      options.branch === undefined ? '' : `?branch=${encodeURIComponent(options.branch)}`
    if (options.json === true) {
      printJson(await ask(client, { path: runPath(id, query) }, Anything))
      return
    }
    const run = await ask(client, { path: runPath(id, query) }, RunDetails)
    const entries = await lastEntries(client, id, Number(options.entries))
    const lines = [
      ...runLines(run),
      ...(await agentLines(client, id)),
      ...(await trustLines(client, id)),
      ...historyLines(entries),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  })
}

/** Whose agent it is: the one that started it, or that it was handed to. */
async function agentLines(client: Client, id: string): Promise<string[]> {
  const { runs } = await ask(client, { path: `/api/runs?ids=${encodeURIComponent(id)}` }, RunPage)
  const name = runs[0]?.agent_name
  return name === undefined ? [] : [printable(`  agent:   ${name}`)]
}

/** The end of a history; how long it is is only known by reading on. */
async function lastEntries(client: Client, id: string, count: number): Promise<Entry[]> {
  if (count === 0) return []
  let kept: Entry[] = []
  let after: number | null = 0
  while (after !== null) {
    const path = runPath(id, `/entries?after=${after}&limit=1000`)
    const page: { entries: Entry[]; next: number | null } = await ask(client, { path }, EntryPage)
    kept = [...kept, ...page.entries].slice(-count)
    after = page.next
  }
  return kept
}

/** Where a run stands, for people. */
export function runLines(run: RunDetails): string[] {
  const { run_id, workflow, status, state, max_iterations, iteration } = run
  const events = run.transitions.map(
    ({ event, target, requires_approval }) =>
      `${event} -> ${target}${requires_approval ? ' (a person approves)' : ''}`,
  )
  const limit = max_iterations === null ? '' : `, ${iteration} of ${max_iterations} in this state`
  const count = run.passed ?? 0
  const passed = count === 0 ? '' : `, ${count} passed that would have been stopped`
  const lines = [
    `${run_id}: ${workflow} is ${status} in ${state}`,
    `  tools:   ${toolsOf(run)}`,
    `  events:  ${status === 'blocked' ? 'none' : events.join(', ') || 'none'}`,
    `  calls:   ${run.calls} let through, ${run.denials} denied${passed}${limit}`,
    `  context: ${JSON.stringify(run.context)}`,
  ]
  if (run.locked && !isOver(run)) lines.push('  locked:  only a person may pause, stop or force it')
  if (run.unguarded === true) {
    lines.push('  UNGUARDED: its agent paused it; nothing is enforced until it is resumed')
  }
  const { pending_approval: waiting } = run
  if (waiting !== null) lines.push(`  waits:   ${waiting.approval_id}: ${waiting.message}`)
  return lines.map(printable)
}

/** What its last state allows misleads where a run is blocked or over. */
function toolsOf(run: RunDetails): string {
  const { status, workflow, allowed_tools: tools } = run
  if (status === 'blocked')
    return `none until a person runs "statewright process start ${workflow}"`
  if (isOver(run)) return 'no longer limited by its states'
  return tools === null ? 'any' : tools.join(', ') || 'none'
}

function isOver({ status }: RunDetails): boolean {
  return ['completed', 'failed', 'stopped'].includes(status)
}

function historyLines(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return []
  const width = String(entries.at(-1)?.seq ?? 0).length
  const lines = entries.map((entry) => {
    const number = String(entry.seq).padStart(width)
    return printable(`    ${number}  ${clockTime(entry.at)}  ${entrySentence(entry)}`)
  })
  return ['  history:', ...lines]
}
