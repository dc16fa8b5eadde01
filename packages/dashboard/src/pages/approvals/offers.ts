import type { Allowance } from '@statewright/core/internal'
import type { Approval } from '@statewright/core/wire'
import { commandPattern } from '../../model/definitions/command-pattern.ts'

/** What a person may allow from now on, and how far that goes. */
export interface AllowanceOffer {
  readonly id: 'call' | 'command' | 'folder' | 'rule'
  readonly name: string
  /** Nothing: all that the rule asks about, as long as the run goes on. */
  readonly covers: Allowance['covers'] | null
}

/** Tools whose files the judge reads from the call. */
const fileTools = /^(edit|write|multiedit|notebookedit|edit_file|write_file)$/i

/** The narrowest first. What could delete or hide something is not offered beyond itself. */
export function offersFor(approval: Approval): readonly AllowanceOffer[] {
  const { tool = '', input, input_more: more = 0 } = approval
  const fields = new Map(Object.entries(typeof input === 'object' && input !== null ? input : {}))
  const command = fields.get('command')
  const words = typeof command === 'string' ? commandPattern(command) : null
  const path = fields.get('file_path') ?? fields.get('path') ?? fields.get('notebook_path')
  const folder = typeof path === 'string' && fileTools.test(tool) ? folderOf(path) : ''
  const offers: AllowanceOffer[] = []
  if (more === 0) offers.push({ id: 'call', name: 'Exactly this call', covers: { kind: 'call' } })
  if (words !== null) {
    const name = `This command, on other files: ${words.join(' ')}`
    offers.push({ id: 'command', name, covers: { kind: 'command', words: [...words] } })
  }
  if (folder !== '') {
    const name = `${tool} on files in ${folder} and below`
    offers.push({ id: 'folder', name, covers: { kind: 'folder', folder } })
  }
  offers.push({ id: 'rule', name: `Everything that this rule asks about: ${tool}`, covers: null })
  return offers
}

function folderOf(path: string): string {
  const segments = path.replace(/^\.\//, '').split('/').slice(0, -1)
  return segments.includes('..') ? '' : segments.join('/')
}

export const spans = [
  { name: '15 minutes', ms: 15 * 60_000 },
  { name: '1 hour', ms: 60 * 60_000 },
  { name: '8 hours', ms: 8 * 60 * 60_000 },
  { name: 'The end of the run', ms: null },
] as const
