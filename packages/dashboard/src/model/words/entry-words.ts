import type { Entry, ShownEntry } from '@statewright/core/internal'
import { allowanceText } from './call-arguments.ts'
import { madeWords } from './made-words.ts'
import type { MarkName } from './marks.ts'

export type Tone = 'good' | 'bad' | 'wait' | 'plain' | 'accent'

/** Kinds by which a timeline can be narrowed. */
export type EntryKind = 'calls' | 'moves' | 'approvals' | 'evidence' | 'notes'

export const entryKinds: readonly EntryKind[] = ['calls', 'moves', 'approvals', 'evidence', 'notes']

/** An entry in one line. What it says of agents' words is shown as theirs. */
export interface EntryWords {
  readonly kind: EntryKind
  readonly tone: Tone
  readonly mark: MarkName
  readonly title: string
  readonly detail: string
}

export function entryWords(entry: Entry | ShownEntry): EntryWords {
  switch (entry.type) {
    case 'run_started':
      return words(
        'moves',
        'accent',
        'start',
        `Started in ${entry.state}`,
        entry.definition.slice(0, 12),
      )
    case 'engine_changed':
      return words(
        'notes',
        entry.differs === undefined ? 'plain' : 'wait',
        'retry',
        `Engine ${entry.from} → ${entry.to}`,
        entry.differs === undefined
          ? ''
          : `would now be decided differently: entries ${entry.differs.slice(0, 10).join(', ')}`,
      )
    case 'call_decided':
      return callWords(entry)
    case 'call_finished': {
      const end = entry.exit === null ? 'ended' : entry.exit
      const tone = entry.exit === 'failure' ? 'wait' : 'plain'
      return words('calls', tone, 'result', `${entry.tool} ${end}`, `${entry.bytes} bytes`)
    }
    case 'transitioned':
      return words(
        'moves',
        'good',
        'move',
        `${entry.from} → ${entry.to}`,
        `${entry.event}${entry.advice === undefined ? '' : ` · ${madeWords(entry.advice)}`}`,
      )
    case 'refused':
      return words('moves', 'bad', 'no', `Refused: ${entry.code}`, madeWords(entry.message))
    case 'interrupted':
      return words(
        'moves',
        'wait',
        'interrupt',
        `Interrupt ${entry.name}: ${entry.from} → ${entry.to}`,
        entry.file,
      )
    case 'returned':
      return words('moves', 'good', 'back', `Back: ${entry.from} → ${entry.to}`, entry.event)
    case 'forked':
    case 'branch_bound':
    case 'branch_ended':
    case 'joined':
      return branchWords(entry)
    case 'invoked':
      return words('moves', 'accent', 'into', `Invoked ${entry.workflow}`, `in ${entry.state}`)
    case 'invoke_ended':
      return words(
        'moves',
        entry.succeeded ? 'good' : 'bad',
        'out',
        `${entry.workflow} ${entry.succeeded ? 'succeeded' : 'failed'}`,
        entry.to === null ? '' : `to ${entry.to}`,
      )
    case 'approval_opened':
      return words('approvals', 'wait', 'waiting', 'A person is asked', madeWords(entry.message))
    case 'approval_resolved':
      return verdictWords(entry)
    case 'paused':
    case 'resumed':
      return words('notes', 'plain', 'paused', capital(entry.type), `by ${entry.by}`)
    case 'forced':
      return words(
        'moves',
        'wait',
        'force',
        `Forced: ${entry.from} → ${entry.to}`,
        `by ${entry.by}`,
      )
    case 'evidence': {
      const verdict = entry.proved ? 'proved' : 'refuted'
      const tone = entry.proved ? 'good' : 'bad'
      return words('evidence', tone, 'evidence', `${entry.name} ${verdict}`, entry.source)
    }
    case 'answered':
      return words(
        'moves',
        'good',
        'move',
        `${entry.from}: ${entry.answer}`,
        entry.rationale ?? (entry.to === null ? '' : `to ${entry.to}`),
      )
    case 'marked':
    case 'learnt':
    case 'forgot':
    case 'task_given':
      return seenWords(entry)
    case 'warned':
      return words('notes', 'wait', 'care', 'Warning', madeWords(entry.message))
    case 'notice':
    case 'probe':
      return words('notes', 'plain', 'note', capital(entry.type), madeWords(entry.text))
    case 'gap':
      return words('notes', 'bad', 'danger', `Gap${codeOf(entry.code)}`, madeWords(entry.text))
    case 'cost_reported':
      return words('notes', 'plain', 'cost', 'Cost', `$${(entry.cost_micros / 1e6).toFixed(4)}`)
    case 'run_ended':
      return words(
        'moves',
        entry.status === 'completed' ? 'good' : 'bad',
        'stopped',
        `Run ${entry.status}`,
        `in ${entry.state}`,
      )
  }
}

/** The entries of some kinds, each with its index in the whole history. */
export function entriesOfKinds<E extends Entry>(
  entries: readonly E[],
  kinds: readonly EntryKind[],
): readonly { readonly entry: E; readonly index: number }[] {
  const all = entries.map((entry, index) => ({ entry, index }))
  if (kinds.length === 0) return all
  return all.filter(({ entry }) => kinds.includes(entryWords(entry).kind))
}

/** The first line of a command, or the files of an edit. */
export function gistOf(entry: Entry): string {
  if (entry.type !== 'call_decided' || entry.cause?.type !== 'tool_requested') return ''
  const { shell, edits = [], reads } = entry.cause.call
  const command = shell?.command.trim().split('\n')[0]
  if (command !== undefined) return command
  const files = edits.length > 0 ? edits.map(({ path }) => path) : (reads ?? [])
  const more = files.length > 2 ? ` and ${files.length - 2} more` : ''
  return `${files.slice(0, 2).join(', ')}${more}`
}

type OfBranches = Extract<
  Entry | ShownEntry,
  { type: 'forked' | 'branch_bound' | 'branch_ended' | 'joined' }
>

function branchWords(entry: OfBranches): EntryWords {
  switch (entry.type) {
    case 'forked':
      return words(
        'moves',
        'accent',
        'branch',
        `Forked by ${entry.event}`,
        entry.branches.join(', '),
      )
    case 'branch_bound':
      return words('moves', 'plain', 'branch', 'A caller was bound to the branch', entry.caller)
    case 'branch_ended':
      return words(
        'moves',
        entry.status === 'failed' ? 'bad' : 'good',
        'branch',
        `Branch ${entry.status}`,
        `in ${entry.state}`,
      )
    case 'joined':
      return words('moves', entry.succeeded ? 'good' : 'bad', 'branch', 'Joined', `to ${entry.to}`)
  }
}

type FactEntry = Extract<Entry, { type: 'marked' | 'learnt' | 'forgot' | 'task_given' }>

function seenWords(entry: FactEntry): EntryWords {
  if (entry.type === 'task_given') {
    return words('notes', 'plain', 'task', 'Another prompt', `by ${entry.by}`)
  }
  const names = (entry.type === 'marked' ? entry.marks : entry.facts).join(', ')
  const tone = { marked: 'wait', learnt: 'good', forgot: 'plain' } as const
  const mark = entry.type === 'marked' ? 'flag' : 'fact'
  const title = `${capital(entry.type)} ${names}`
  return words('evidence', tone[entry.type], mark, title, entry.definition)
}

function callWords(entry: Extract<Entry | ShownEntry, { type: 'call_decided' }>): EntryWords {
  const { tool, decision, would, code, reasons } = entry
  const why = madeWords(reasons[0]?.message ?? '')
  if (would !== undefined) {
    const instead = would === 'ask' ? 'would have asked a person' : 'would have been denied'
    return words('calls', 'wait', 'care', `${tool} passed, ${instead}${codeOf(code)}`, why)
  }
  switch (decision) {
    case 'allow':
      return words('calls', 'good', 'done', `${tool} allowed`, '')
    case 'ask':
      return words('calls', 'wait', 'ask', `${tool} asks a person`, why)
    case 'deny':
      return words('calls', 'bad', 'no', `${tool} denied${codeOf(code)}`, why)
  }
}

const verdictTones: Readonly<Record<string, 'good' | 'bad' | 'plain'>> = {
  approved: 'good',
  rejected: 'bad',
  failed: 'bad',
}

/** Nobody said no to what was not answered in time. */
const verdictMarks: Readonly<Record<string, MarkName>> = {
  approved: 'done',
  rejected: 'no',
  failed: 'no',
}

function verdictWords(
  entry: Extract<Entry | ShownEntry, { type: 'approval_resolved' }>,
): EntryWords {
  const { verdict, by, always, allowance } = entry
  const scope = always === true ? ', from now on' : ''
  const name = `${capital(verdict)} by ${by}${scope}`
  return words(
    'approvals',
    verdictTones[verdict] ?? 'plain',
    verdictMarks[verdict] ?? 'waiting',
    verdict === 'expired' ? 'Expired: nobody answered in time' : name,
    [
      ...(allowance === undefined ? [] : [allowanceText(allowance)]),
      madeWords(entry.note ?? ''),
    ].join('\n'),
  )
}

function words(
  kind: EntryKind,
  tone: Tone,
  mark: MarkName,
  title: string,
  detail: string,
): EntryWords {
  return { kind, tone, mark, title, detail }
}

function codeOf(code: string | undefined): string {
  return code === undefined ? '' : `: ${code}`
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
