import type { Counterexample } from '@statewright/core/internal'
import {
  answerWords,
  assumedBy,
  type ShownClaim,
  stepsIf,
  storyOf,
} from '../../model/definitions/claims.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import type { EditorClaims } from './use-claims.ts'

/** What holds of every run there can be, with a story where it does not. */
export function ClaimsPanel(props: {
  readonly claims: EditorClaims
  readonly onShow: (moves: Counterexample['moves']) => void
}) {
  const { onShow } = props
  const { shown, text, read, setText: onText } = props.claims
  if (shown.length === 0) {
    return <p className="soft">Fix the errors in the text to check its claims.</p>
  }
  return (
    <div className="stack">
      <ul className="proved-claims" aria-label="Claims">
        {shown.map((claim) => (
          <ClaimLine key={`${claim.isStanding} ${claim.name}`} claim={claim} onShow={onShow} />
        ))}
      </ul>
      <Assumed claims={shown} />
      <label className="field">
        <span>Your own claims (YAML, as in a scenario file)</span>
        <textarea
          className="mono"
          rows={5}
          value={text}
          aria-invalid={read.fault !== null}
          placeholder={'- never: { enter: deploying }\n  unless: { evidence: tests }'}
          onChange={(event) => onText(event.target.value)}
        />
      </label>
      <label className="field">
        <span>Or from a scenario file</span>
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file !== undefined) void file.text().then(onText)
          }}
        />
      </label>
      {read.fault === null ? null : (
        <p className="bad small-text" role="alert">
          <Foreign text={read.fault} max={300} />
        </p>
      )}
      <p className="soft small-text">
        Every run that this definition allows is examined, here in your browser. Claims that you
        write are kept in this tab alone; put them into the scenario file for{' '}
        <code>statewright workflow test</code>.
      </p>
    </div>
  )
}

/** A proof is worth what it takes for granted, which stands beside it (PV-7). */
function Assumed(props: { readonly claims: readonly ShownClaim[] }) {
  const assumed = assumedBy(props.claims)
  if (assumed.length === 0) return null
  return <p className="soft small-text">Proofs assume: {assumed.join('; ')}.</p>
}

function ClaimLine(props: {
  readonly claim: ShownClaim
  readonly onShow: (moves: Counterexample['moves']) => void
}) {
  const { name, answer } = props.claim
  const { mark, tone, words } = answerWords(answer)
  const story = storyOf(answer)
  return (
    <li>
      <span aria-hidden="true" className={tone}>
        <Mark name={mark} />
      </span>
      <span>
        <Foreign text={name} max={200} />{' '}
        <span className={`${tone} small-text`}>
          <Foreign text={words} max={400} />
        </span>
        <StepsIf steps={stepsIf(answer)} />
      </span>
      {story === null ? null : (
        <button type="button" className="button small" onClick={() => props.onShow(story)}>
          Show me
        </button>
      )}
    </li>
  )
}

/** Nobody can play what hangs on conditions, but everybody can read it. */
function StepsIf(props: { readonly steps: readonly string[] }) {
  if (props.steps.length === 0) return null
  return (
    <details className="small-text">
      <summary>How it would go</summary>
      <ol>
        {props.steps.map((step, index) => (
          // Steps never change their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: the same step may come twice.
          <li key={index}>
            <Foreign text={step} max={200} />
          </li>
        ))}
      </ol>
    </details>
  )
}
