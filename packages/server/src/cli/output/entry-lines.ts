import { unreachable } from '@statewright/core/internal'
import { type Entry, type EntryLine, isKnown } from '@statewright/core/wire'

type Decided = Extract<Entry, { type: 'call_decided' }>

const decisions = { allow: 'let through', ask: 'waits for a person', deny: 'denied' } as const

/** One entry of a history as a short sentence. What a newer server adds is shown by its type. */
export function entrySentence(entry: EntryLine): string {
  return isKnown(entry) ? sentence(entry) : entry.type.replaceAll('_', ' ')
}

function sentence(entry: Entry): string {
  switch (entry.type) {
    case 'run_started':
      return `started in ${entry.state} with definition ${entry.definition.slice(0, 12)}`
    case 'engine_changed': {
      const { from, to, differs = [] } = entry
      const would = after(', which would decide these entries differently: ', list(differs))
      return `taken over from engine ${from} by engine ${to}${would}`
    }
    case 'call_decided':
      return `${entry.tool} ${decisionWord(entry)}${after(' by ', entry.code)} in ${entry.state}`
    case 'call_finished':
      return `${entry.tool} finished${after(': ', entry.exit)}`
    case 'transitioned':
      return `${entry.event}: ${entry.from} -> ${entry.to}${who(entry)}`
    case 'refused':
      return `refused ${refusedWhat(entry.event ?? entry.what)}: ${entry.code}`
    case 'interrupted':
      return `interrupt ${entry.name} by ${entry.file}: ${entry.from} -> ${entry.to}`
    case 'returned':
      return `${entry.event}: back from ${entry.from} to ${entry.to}`
    case 'approval_opened':
      return `waits for a person: ${entry.message} (${entry.approval_id})`
    case 'approval_resolved':
      return `${entry.verdict} by ${entry.by}${after(': ', entry.note)}`
    case 'forced':
      return `forced ${entry.from} -> ${entry.to}, by ${entry.by}`
    case 'paused':
    case 'resumed':
      return `${entry.type} by ${entry.by}`
    case 'answered':
      return `answered ${entry.answer} in ${entry.from}${after(': ', entry.rationale)}`
    case 'forked':
      return `${entry.event}: forked from ${entry.from}${who(entry)}`
    case 'branch_bound':
      return `branch ${entry.branch ?? ''} bound`
    case 'branch_ended':
      return `branch ${entry.branch ?? ''} ${entry.status} in ${entry.state}`
    case 'joined':
      return `${entry.succeeded ? 'joined' : 'fork failed'}${after(' -> ', entry.to)}`
    case 'invoked':
      return `${entry.event}: ${entry.from} -> ${entry.workflow} (${entry.state})${who(entry)}`
    case 'invoke_ended': {
      const how = entry.succeeded ? 'completed' : 'failed'
      return `${entry.workflow} ${how}${after(' -> ', entry.to)}`
    }
    case 'evidence':
      return `${entry.name} ${entry.proved ? 'proved' : 'refuted'}, ${entry.source}`
    case 'warned':
      return `warned: ${entry.message}`
    case 'notice':
    case 'probe':
    case 'gap':
      return `${entry.type}: ${entry.text}`
    case 'marked':
    case 'learnt':
    case 'forgot':
    case 'task_given':
      return seenSentence(entry)
    case 'cost_reported':
      return `cost reported: ${entry.cost_micros / 1_000_000} USD`
    case 'run_ended':
      return `ended as ${entry.status} in ${entry.state}`
    default:
      return unreachable(entry)
  }
}

type FactEntry = Extract<Entry, { type: 'marked' | 'learnt' | 'forgot' | 'task_given' }>

function seenSentence(entry: FactEntry): string {
  if (entry.type === 'task_given') return `another prompt was received, by ${entry.by}`
  const names = entry.type === 'marked' ? entry.marks : entry.facts
  return `${entry.type} ${names.join(', ')}`
}

function decisionWord({ decision, would }: Decided): string {
  if (would === undefined) return decisions[decision]
  return `passed, would ${would === 'ask' ? 'have waited for a person' : 'have been denied'}`
}

function who({ by, rationale }: { by: string; rationale?: string | undefined }): string {
  return `, by ${by}${after(': ', rationale)}`
}

/** Names of events of ours are for programs. */
function refusedWhat(what: string): string {
  return what === 'answer_given' ? 'an answer' : what
}

function list(numbers: readonly number[]): string {
  return numbers.slice(0, 10).join(', ')
}

function after(separator: string, text: string | null | undefined): string {
  return text === undefined || text === null || text === '' ? '' : `${separator}${text}`
}
