import type { LiveOutput } from '@statewright/core/internal'
import { plainText } from '../../model/words/plain-text.ts'

const shownLines = 12

/** The last lines of what a command has printed, while it runs. */
export function LiveLines(props: {
  readonly output: LiveOutput | undefined
  readonly name: string
}) {
  const { output, name } = props
  if (output === undefined) return null
  const lines = output.text.trimEnd().split('\n').slice(-shownLines)
  return (
    <section className="tool-live" aria-label={`Output of ${plainText(name, 60)} so far`}>
      <pre className="foreign">{plainText(lines.join('\n'), 4000)}</pre>
    </section>
  )
}
