import type { AgentViewItem } from '@statewright/core/internal'
import { plainText } from '../../model/words/plain-text.ts'

const maxText = 20_000

const words = {
  shortened: 'Old tool results were shortened',
  summary: 'The conversation was summarized',
  cut: 'The conversation was cut, without a summary',
} as const

/** The model reads less from here on; what was said stays above. */
export function CompactionNote(props: {
  readonly item: Extract<AgentViewItem, { kind: 'compaction' }>
}) {
  const { how, tokensBefore, tokensAfter, summary } = props.item
  return (
    <li className="note" role="note">
      {words[how]}: {tokensBefore.toLocaleString('en')} tokens before, about{' '}
      {tokensAfter.toLocaleString('en')} now.
      {summary === '' ? null : (
        <details>
          <summary>Summary</summary>
          <p className="foreign said-text">{plainText(summary, maxText)}</p>
        </details>
      )}
    </li>
  )
}
