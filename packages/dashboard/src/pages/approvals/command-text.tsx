import type { CommandMark } from '@statewright/core/wire'
import { useMemo } from 'react'
import { plainText } from '../../model/words/plain-text.ts'
import { commandSegments } from './command-segments.ts'

/** A command with what it would change, reach or hide marked, as the server judges it. */
export function CommandText(props: {
  readonly command: string
  readonly marks: readonly CommandMark[]
}) {
  const { command, marks } = props
  const { segments, notes } = useMemo(() => commandSegments(command, marks), [command, marks])
  return (
    <>
      <pre className="foreign">
        {segments.map(({ text, start, tone, isCause }) =>
          tone === 'plain' ? (
            text
          ) : (
            <mark key={start} className={`command-mark ${tone}${isCause ? ' is-cause' : ''}`}>
              {text}
            </mark>
          ),
        )}
      </pre>
      {notes.length === 0 ? null : (
        <ul className="command-notes small-text" aria-label="What the command would do">
          {notes.map(({ tone, message }) => (
            <li key={message} className={tone}>
              {plainText(message, 300)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
