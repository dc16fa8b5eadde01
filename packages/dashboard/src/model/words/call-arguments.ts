import type { Allowance } from '@statewright/core/internal'
import { plainText } from './plain-text.ts'

/** One argument of a call as a person reads it. */
export interface CallArgument {
  readonly name: string
  /** Whole, with its own lines; what would hide or move other text is spelt out. */
  readonly text: string
  /** Old and new text of an edit are read as a change. */
  readonly tone: 'plain' | 'removed' | 'added'
}

const tones: Readonly<Record<string, CallArgument['tone']>> = {
  old_string: 'removed',
  old_str: 'removed',
  new_string: 'added',
  new_str: 'added',
}

/** What is decided on, argument by argument and never shortened: the command first. */
export function callArguments(input: unknown): readonly CallArgument[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ name: 'input', text: wholeText(input), tone: 'plain' }]
  }
  const entries = Object.entries(input)
  const commands = entries.filter(([name]) => name === 'command')
  const others = entries.filter(([name]) => name !== 'command')
  return [...commands, ...others].map(([name, value]) => ({
    name: plainText(name),
    text: wholeText(value),
    tone: Object.hasOwn(tones, name) ? (tones[name] ?? 'plain') : 'plain',
  }))
}

function wholeText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
  return text === '' ? '(empty)' : plainText(text, Number.POSITIVE_INFINITY)
}

/** The parts of an approval that say what it would do. */
export interface Proposal {
  readonly kind: 'transition' | 'ask' | 'checkpoint'
  readonly event?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | null | undefined
  readonly tool?: string | undefined
}

/** What is asked, in a line: the call, the move or the answer. */
export function headlineOf(approval: Proposal): string {
  const { kind, event = '', from = '', to, tool = 'the tool' } = approval
  switch (kind) {
    case 'ask':
      return `Call ${tool}`
    case 'transition':
      return `${from} → ${to ?? 'its end'}`
    case 'checkpoint':
      return `Answer “${event}” in ${from}`
  }
}

/** What was allowed from now on, line by line, as it is saved and as the history shows it. */
export function allowanceText(
  { covers, where, until }: Allowance,
  asked: { readonly tool?: string | undefined; readonly state?: string | undefined } = {},
): string {
  const { tool = 'the tool', state = 'of the question' } = asked
  const what = {
    call: () => `allow: ${tool}, exactly these arguments`,
    command: () => `allow: ${covers.kind === 'command' ? covers.words.join(' ') : ''}`,
    folder: () => `allow: ${tool} in ${covers.kind === 'folder' ? covers.folder : ''}/**`,
  }[covers.kind]()
  const end = until === undefined ? 'the end of this run' : new Date(until).toLocaleString()
  const inside = where === 'run' ? 'this run' : `this run, state ${state}`
  return plainText(`${what}\nwhere: ${inside}\nuntil: ${end}`, 4000)
}
