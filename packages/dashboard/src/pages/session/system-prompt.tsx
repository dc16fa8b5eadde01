import { plainText } from '../../model/words/plain-text.ts'
import { ForeignBlock } from '../../ui/values/foreign-text.tsx'

/** What the model was told beside the conversation, in the last request to it. */
export function SystemPrompt({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined || text === '') return null
  return (
    <details className="system-prompt">
      <summary>
        System prompt{' '}
        <span className="soft small-text">
          {text.length.toLocaleString('en')} characters, as it was sent last
        </span>
      </summary>
      <ForeignBlock value={plainText(text, 200_000)} label="System prompt" />
    </details>
  )
}
