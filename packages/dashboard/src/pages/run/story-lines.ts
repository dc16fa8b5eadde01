import type { Entry } from '@statewright/core/internal'
import { entryWords, gistOf, type Tone } from '../../model/words/entry-words.ts'
import { madeWords } from '../../model/words/made-words.ts'

/** A sentence of the story, and the entries that it tells of. */
export interface StoryLine {
  readonly text: string
  readonly tone: Tone
  readonly first: number
  readonly last: number
  readonly at: number
}

/** The run in plain sentences, for people who did not write its workflow. */
export function storyLines(entries: readonly Entry[]): readonly StoryLine[] {
  const lines: StoryLine[] = []
  let calls: { readonly entry: Decided; readonly index: number }[] = []
  const tellCalls = () => {
    lines.push(...callSentences(calls))
    calls = []
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'call_decided') {
      if (calls[0] !== undefined && calls[0].entry.state !== entry.state) tellCalls()
      calls.push({ entry, index })
      continue
    }
    const sentence = sentenceOf(entry)
    if (sentence === null) continue
    tellCalls()
    const { tone } = entryWords(entry)
    lines.push({ text: sentence, tone, first: index, last: index, at: entry.at })
  }
  tellCalls()
  return lines
}

type Decided = Extract<Entry, { type: 'call_decided' }>

/** What an agent did in a state: what it used, and what it was not let do. */
function callSentences(
  calls: readonly { readonly entry: Decided; readonly index: number }[],
): readonly StoryLine[] {
  const [first] = calls
  const last = calls.at(-1)
  if (first === undefined || last === undefined) return []
  const span = { first: first.index, last: last.index, at: first.entry.at }
  const allowed = calls.filter(({ entry }) => entry.decision === 'allow')
  const used = countBy(allowed.map(({ entry }) => entry.tool))
  const lines: StoryLine[] = []
  if (allowed.length > 0) {
    const text = `In ${first.entry.state} the agent used ${used.join(', ')}.`
    lines.push({ ...span, text, tone: 'good' })
  }
  const passed = countBy(
    calls.flatMap(({ entry }) => (entry.would === undefined ? [] : [entry.tool])),
  )
  if (passed.length > 0) {
    const text = `Of that, ${passed.join(', ')} would have been stopped, but was only observed.`
    lines.push({ ...span, text, tone: 'wait' })
  }
  const denied = calls.filter(({ entry }) => entry.decision === 'deny')
  const refusals = countBy(
    denied.map(({ entry }) => {
      const gist = gistOf(entry)
      const why = madeWords(entry.reasons[0]?.message ?? entry.code ?? '')
      return `${entry.tool}${gist === '' ? '' : ` “${gist.slice(0, 120)}”`}: ${why}`
    }),
  )
  for (const text of refusals) {
    const index = denied[0]?.index ?? span.first
    const at = denied[0]?.entry.at ?? span.at
    lines.push({ first: index, last: span.last, at, text: `It was denied ${text}`, tone: 'bad' })
  }
  return lines
}

/** "Read 12 times", "Bash once", the first first. */
function countBy(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => {
    const times = count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
    return word.includes(':') ? `${times}, ${word}` : `${word} ${times}`
  })
}

/** One sentence for an entry; nothing for what only the machine needs. */
function sentenceOf(entry: Entry): string | null {
  switch (entry.type) {
    case 'run_started':
      return `The run began in ${entry.state}.`
    case 'transitioned':
      return `${entry.event} took it from ${entry.from} to ${entry.to}.`
    case 'refused':
      return `It asked for ${entry.event ?? 'a move'} and was refused: ${madeWords(entry.message)}`
    case 'interrupted':
      return `A change of ${entry.file} interrupted it: from ${entry.from} to ${entry.to}.`
    case 'approval_opened':
      return `A person was asked: ${madeWords(entry.message)}`
    case 'approval_resolved': {
      const note = madeWords(entry.note ?? '')
      if (entry.verdict === 'expired') return 'Nobody answered in time.'
      return `${entry.by} ${entry.verdict} it${note === '' ? '' : `: ${note}`}.`
    }
    case 'paused':
    case 'resumed':
      return `${entry.by} ${entry.type} it.`
    case 'run_ended':
      return `The run ended in ${entry.state}: ${entry.status}.`
    case 'call_finished':
    case 'engine_changed':
    case 'marked':
    case 'learnt':
    case 'forgot':
      return null
    default: {
      const { title, detail } = entryWords(entry)
      return `${title}${detail === '' ? '' : ` (${detail})`}.`
    }
  }
}
