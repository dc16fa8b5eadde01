import { lazy, Suspense } from 'react'
import type { Suggestion } from '../../model/suggest/suggest-change.ts'
import { Foreign } from '../../ui/foreign-text.tsx'
import './suggest.css'

const TextDiff = lazy(async () => ({ default: (await import('../editor/text-diff.tsx')).TextDiff }))

/** The smallest change that would let a denied call through, and what it opens besides. */
export function SuggestedChange(props: {
  readonly text: string
  readonly suggestion: Suggestion
  readonly applyWord: string
  readonly onApply: (text: string) => void
}) {
  const { text, suggestion, applyWord, onApply } = props
  if (suggestion.kind === 'allowed') {
    return (
      <p className="suggest-note">
        The newest version allows this call already. A new run is bound to it.
      </p>
    )
  }
  if (suggestion.kind === 'none') {
    return (
      <div className="suggest">
        <h3>What would help</h3>
        <Help lines={suggestion.help} />
      </div>
    )
  }
  return (
    <section className="suggest" aria-label="Suggested change">
      <h3>The smallest change that would allow it</h3>
      <ul className="stack">
        {suggestion.changes.map(({ what, alsoAllows }) => (
          <li key={what}>
            <strong>
              <Foreign text={what} max={300} />
            </strong>
            <div className="small-text wait">
              △ Then allowed: <Foreign text={alsoAllows} max={400} />.
            </div>
          </li>
        ))}
      </ul>
      {suggestion.needsApproval ? (
        <p className="small-text soft">A person is still asked each time.</p>
      ) : null}
      <div className="suggest-diff">
        <Suspense fallback={<p className="soft">Loading…</p>}>
          <TextDiff before={text} after={suggestion.text} label="The change" />
        </Suspense>
      </div>
      <Help lines={suggestion.help} />
      <div className="row">
        <button type="button" className="button primary" onClick={() => onApply(suggestion.text)}>
          {applyWord}
        </button>
      </div>
    </section>
  )
}

function Help({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => (
    <p key={line} className="small-text soft">
      <Foreign text={line} max={600} />
    </p>
  ))
}
