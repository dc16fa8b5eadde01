import type { Entry } from './shapes.ts'

const decisions: Readonly<Record<string, string>> = {
  allow: 'let through',
  ask: 'waits for a person',
  deny: 'denied',
}

/** One entry of a history as a short sentence. What a newer server adds is shown by its type. */
export function entrySentence(entry: Entry): string {
  const field = (name: string) => textOf(entry[name])
  const move = `${field('from')} -> ${field('to')}`
  const who = `${after(', by ', field('by'))}${after(': ', field('rationale'))}`
  switch (entry.type) {
    case 'run_started':
      return `started in ${field('state')}, bound to ${field('definition').slice(0, 12)}`
    case 'engine_changed': {
      const would = after(', which would now decide otherwise: entries ', list(entry.differs))
      return `taken over from engine ${field('from')} by engine ${field('to')}${would}`
    }
    case 'call_decided': {
      const would = field('would') === 'ask' ? 'have waited for a person' : 'have been denied'
      const word =
        field('would') === ''
          ? (decisions[field('decision')] ?? field('decision'))
          : `passed, would ${would}`
      return `${field('tool')} ${word}${after(' by ', field('code'))} in ${field('state')}`
    }
    case 'call_finished':
      return `${field('tool')} finished${after(': ', field('exit'))}`
    case 'transitioned':
      return `${field('event')}: ${move}${who}`
    case 'refused':
      return `refused ${refusedWhat(field('event') || field('what'))}: ${field('code')}`
    case 'interrupted':
      return `interrupt ${field('name')} by ${field('file')}: ${move}`
    case 'returned':
      return `${field('event')}: back from ${field('from')} to ${field('to')}`
    case 'approval_opened':
      return `waits for a person: ${field('message')} (${field('approval_id')})`
    case 'approval_resolved':
      return `${field('verdict')} by ${field('by')}${after(': ', field('note'))}`
    case 'forced':
      return `forced ${move}, by ${field('by')}`
    case 'paused':
    case 'resumed':
      return `${entry.type} by ${field('by')}`
    case 'answered':
      return `answered ${field('answer')} in ${field('from')}${after(': ', field('rationale'))}`
    case 'forked':
      return `${field('event')}: forked from ${field('from')}${who}`
    case 'branch_ended':
      return `branch ${field('branch')} ${field('status')} in ${field('state')}`
    case 'joined':
      return `${entry.succeeded === true ? 'joined' : 'fork failed'}${after(' -> ', field('to'))}`
    case 'invoked':
      return `${field('event')}: ${field('from')} -> ${field('workflow')} (${field('state')})${who}`
    case 'invoke_ended': {
      const how = entry.succeeded === true ? 'completed' : 'failed'
      return `${field('workflow')} ${how}${after(' -> ', field('to'))}`
    }
    case 'notice':
    case 'probe':
    case 'gap':
      return `${entry.type}: ${field('text')}`
    case 'run_ended':
      return `ended as ${field('status')} in ${field('state')}`
    default:
      return entry.type.replaceAll('_', ' ')
  }
}

/** Names of events of ours are for programs. */
function refusedWhat(what: string): string {
  return what === 'answer_given' ? 'an answer' : what
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.slice(0, 10).join(', ') : ''
}

function after(separator: string, text: string): string {
  return text === '' ? '' : `${separator}${text}`
}
