import type { Problem, Result } from '@statewright/core/internal'
import { type AnswerOf, type EntryLine, endpoints, isKnown, type Run } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, type JsonOption, orRefuse, printJson, tryCall, withServer } from '../command.ts'
import { entrySentence } from '../output/entry-lines.ts'
import { forTerminal, inColour, printable, usesColour } from '../output/report.ts'
import { clockTime } from '../output/times.ts'
import { resolveRun } from './refs.ts'
import { trustLines } from './trust.ts'

export interface ShowOptions extends JsonOption {
  readonly branch?: string
  readonly entries: string
}

/** `statewright run show RUN` */
export async function showRun(given: string, options: ShowOptions): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveRun(client, given)
    const { branch } = options
    const run = await call(client, endpoints.getRun, { params: { id }, query: { branch } })
    if (options.json === true) {
      printJson(run)
      return
    }
    const history = await historyOf(client, id, Number(options.entries))
    const lines = [
      ...runLines(run),
      ...(await agentLines(client, id)),
      ...(await trustLines(client, id)),
      ...history,
    ]
    const shown = lines.map((line) => forTerminal(line, process.stdout))
    process.stdout.write(`${shown.join('\n')}\n`)
  })
}

/** Whose agent it is: the one that started it, or that it was handed to. */
async function agentLines(client: Client, id: string): Promise<string[]> {
  const { runs } = await call(client, endpoints.listRuns, { query: { ids: id } })
  const name = runs[0]?.agent_name
  return name === undefined ? [] : [printable(`  agent:   ${name}`)]
}

type EntryPage = AnswerOf<typeof endpoints.listEntries>

/** The end of a history; how long it is is only known by reading on. */
async function historyOf(client: Client, id: string, count: number): Promise<string[]> {
  if (count === 0) return []
  let kept: EntryLine[] = []
  let after: number | null = 0
  while (after !== null) {
    const query = { after, limit: 1000 }
    const page: Result<EntryPage, Problem> = await tryCall(client, endpoints.listEntries, {
      params: { id },
      query,
    })
    // The run is there, and its history is elsewhere (AR-5).
    if (!page.ok && page.error.code === 'run_archived') return archivedLines(page.error)
    const read: EntryPage = orRefuse(page)
    kept = [...kept, ...read.entries].slice(-count)
    after = read.next
  }
  return historyLines(kept)
}

function archivedLines({ message, where = '' }: Problem): string[] {
  return [printable(`  history: ${message}`), printable(`           ${where}`)]
}

/** Where a run stands, for people. */
function runLines(run: Run): string[] {
  const { run_id, workflow, status, state, max_iterations, iteration } = run
  const events = run.transitions.map(
    ({ event, target, requires_approval }) =>
      `${event} -> ${target}${requires_approval ? ' (a person approves)' : ''}`,
  )
  const limit = max_iterations === null ? '' : `, ${iteration} of ${max_iterations} in this state`
  const passed = run.passed === 0 ? '' : `, ${run.passed} passed that would have been stopped`
  const lines = [
    `${run_id}: ${workflow} is ${status} in ${state}`,
    `  tools:   ${toolsOf(run)}`,
    `  events:  ${status === 'blocked' ? 'none' : events.join(', ') || 'none'}`,
    `  calls:   ${run.calls} let through, ${run.denials} denied${passed}${limit}`,
    `  context: ${JSON.stringify(run.context)}`,
  ]
  if (run.locked && !isOver(run)) lines.push('  locked:  only a person may pause, stop or force it')
  if (run.unguarded) {
    lines.push('  UNGUARDED: its agent paused it; nothing is enforced until it is resumed')
  }
  const { pending_approval: waiting } = run
  if (waiting !== null) lines.push(`  waits:   ${waiting.approval_id}: ${waiting.message}`)
  return lines.map((line) => {
    const text = printable(line)
    if (/^ {2}UNGUARDED:/.test(text)) return coloured('red', text)
    return /^ {2}waits:/.test(text) ? coloured('yellow', text) : text
  })
}

/** What its last state allows misleads where a run is blocked or over. */
function toolsOf(run: Run): string {
  const { status, workflow, allowed_tools: tools } = run
  if (status === 'blocked')
    return `none until a person runs "statewright process start ${workflow}"`
  if (isOver(run)) return 'no longer limited by its states'
  return tools === null ? 'any' : tools.join(', ') || 'none'
}

function isOver({ status }: Run): boolean {
  return ['completed', 'failed', 'stopped'].includes(status)
}

function historyLines(entries: readonly EntryLine[]): string[] {
  if (entries.length === 0) return []
  const width = String(entries.at(-1)?.seq ?? 0).length
  const lines = entries.map((entry) => {
    const number = String(entry.seq).padStart(width)
    const sentence = coloured(toneOf(entry), printable(entrySentence(entry)))
    return `    ${number}  ${clockTime(entry.at)}  ${sentence}`
  })
  return ['  history:', ...lines]
}

type Tone = 'red' | 'yellow' | undefined

/** What was stopped, and what waits: the two that a person looks for. */
function toneOf(entry: EntryLine): Tone {
  if (!isKnown(entry)) return undefined
  if (entry.type === 'refused') return 'red'
  if (entry.type === 'approval_opened') return 'yellow'
  if (entry.type !== 'call_decided' || entry.decision === 'allow') return undefined
  return entry.decision === 'deny' ? 'red' : 'yellow'
}

function coloured(tone: Tone, text: string): string {
  return tone !== undefined && usesColour(process.stdout) ? inColour(tone, text) : text
}
