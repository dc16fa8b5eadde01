import { useMemo } from 'react'
import { commandMarks } from '../../model/command-marks.ts'
import { plainText } from '../../model/plain-text.ts'

/** A command with what it would change, reach or hide marked by the judge of shell commands. */
export function CommandText({ command }: { readonly command: string }) {
  const { segments, notes } = useMemo(() => commandMarks(command), [command])
  return (
    <>
      <pre className="foreign">
        {segments.map(({ text, start, tone }) =>
          tone === 'plain' ? (
            text
          ) : (
            <mark key={start} className={`command-mark ${tone}`}>
              {text}
            </mark>
          ),
        )}
      </pre>
      {notes.length === 0 ? null : (
        <ul className="command-notes small-text" aria-label="What the command would do">
          {notes.map(({ tone, text }) => (
            <li key={text} className={tone}>
              {plainText(text, 300)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
