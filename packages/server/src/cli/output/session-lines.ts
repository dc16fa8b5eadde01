import type { AgentView, AgentViewItem } from '@statewright/core/internal'
import { unreachable } from '@statewright/core/internal'
import { printable } from './report.ts'

/**
 * What a terminal has to show that it has not shown yet. Lines are only ever added: that works in
 * a pipe, in a log and on a screen alike. `isInLine` says whether the text so far ended in a line.
 */
export function newText(
  before: AgentView,
  after: AgentView,
  isInLine: boolean,
): { readonly text: string; readonly isInLine: boolean } {
  let text = ''
  let open = isInLine
  const line = (words: string) => {
    text += `${open ? '\n' : ''}${printable(words)}\n`
    open = false
  }
  for (const item of after.items) {
    const old = before.items.find((one) => one.kind === item.kind && one.id === item.id)
    if (old === item) continue
    if (item.kind === 'answer') {
      const shown = old?.kind === 'answer' ? old.text.length : 0
      const added = plain(item.text.slice(shown))
      text += added
      if (added !== '') open = !added.endsWith('\n')
    } else {
      line(itemLine(item))
    }
  }
  if (after.state !== before.state) line(stateLine(after))
  return { text, isInLine: open }
}

/** Text of a model keeps its lines; everything else that could steer a terminal is shown. */
function plain(words: string): string {
  return words.split('\n').map(printable).join('\n')
}

function itemLine(item: Exclude<AgentViewItem, { kind: 'answer' }>): string {
  switch (item.kind) {
    case 'input':
      return `> ${item.text}`
    case 'tool': {
      const { name, status, attempt, durationMs, isError, error, runId } = item
      const mark = isError === true ? 'error result' : status
      return withFacts(`tool ${name}: ${mark}`, { attempt, durationMs, error, runId, status })
    }
    case 'hook': {
      const { name, status, attempt, durationMs, error, id } = item
      return withFacts(`hook ${name}: ${status}`, { attempt, durationMs, error, runId: id, status })
    }
    case 'error':
      return `error ${item.error.code}: ${item.error.message}`
    case 'status':
      return item.text
    default:
      return unreachable(item)
  }
}

function withFacts(
  words: string,
  facts: {
    readonly attempt: number
    readonly durationMs: number | undefined
    readonly error: string | undefined
    readonly runId: string | undefined
    readonly status: string
  },
): string {
  const { attempt, durationMs, error, runId, status } = facts
  const pieces = [words]
  if (durationMs !== undefined) pieces.push(`${durationMs} ms`)
  if (attempt > 1) pieces.push(`attempt ${attempt}`)
  if (error !== undefined) pieces.push(error)
  // The id is what a person needs to run it again.
  if (status === 'failed' && runId !== undefined) pieces.push(runId)
  return pieces.join(', ')
}

/** What it has cost so far stands where a turn ends. */
function stateLine({ state, costUsd }: AgentView): string {
  return state === 'ready' && costUsd > 0 ? `[ready] $${costUsd.toFixed(4)}` : `[${state}]`
}
