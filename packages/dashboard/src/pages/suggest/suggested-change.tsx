import { lazy, Suspense } from 'react'
import type { Suggestion } from '../../model/suggest/suggest-change.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
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
      <p className="suggest-note">The newest version already allows this call. New runs use it.</p>
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
  const { risks } = suggestion
  const change = <Change {...{ text, suggestion, applyWord, onApply }} />
  if (risks.length === 0) return change
  return (
    <div className="suggest">
      <h3>Keep it denied</h3>
      <ul className="stack">
        {risks.map((risk) => (
          <li key={risk}>
            <Foreign text={risk} max={300} />
          </li>
        ))}
      </ul>
      <Help lines={suggestion.help} />
      <details>
        <summary>Allow it anyway</summary>
        {change}
      </details>
    </div>
  )
}

/** The change as a difference of texts; a primary button only where nothing speaks against it. */
function Change(props: {
  readonly text: string
  readonly suggestion: Extract<Suggestion, { kind: 'change' }>
  readonly applyWord: string
  readonly onApply: (text: string) => void
}) {
  const { text, suggestion, applyWord, onApply } = props
  const isSafe = suggestion.risks.length === 0
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
              <Mark name="care" /> Then allowed: <Foreign text={alsoAllows} max={400} />.
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
      {isSafe ? <Help lines={suggestion.help} /> : null}
      <div className="row">
        <button
          type="button"
          className={isSafe ? 'button primary' : 'button danger'}
          onClick={() => onApply(suggestion.text)}
        >
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
