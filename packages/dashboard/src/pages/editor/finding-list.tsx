import type { Finding } from '@statewright/core/internal'
import type { TextSpan } from '../../model/text/offsets.ts'
import { count } from '../../model/words/words.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'

/** Everything that was found, in words; choosing one puts the cursor at its place. */
export function FindingList(props: {
  readonly findings: readonly Finding[]
  readonly text: string
  readonly onGo: (span: TextSpan) => void
}) {
  const { findings, text, onGo } = props
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (findings.length === 0) {
    return (
      <p className="editor-findings good" role="status">
        <Mark name="done" /> No problems found.
      </p>
    )
  }
  const goTo = ({ line = 1, column = 1 }: Finding) => {
    const before = text.split('\n').slice(0, line - 1)
    const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    onGo({ from: at, to: at })
  }
  return (
    <section className="editor-findings" aria-label="Findings">
      <p role="status" className="small-text">
        {errors === 0 ? 'Valid' : `${errors} ${errors === 1 ? 'error' : 'errors'}`}
        {findings.length > errors ? ` · ${count(findings.length - errors, 'warning')}` : ''}
      </p>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.line} ${finding.column} ${finding.code} ${finding.path.join('.')}`}>
            <button type="button" className="button small quiet" onClick={() => goTo(finding)}>
              <span className="number">
                {finding.line ?? 1}:{finding.column ?? 1}
              </span>
            </button>{' '}
            <strong className={finding.severity === 'error' ? 'bad' : 'wait'}>
              {finding.code}
            </strong>{' '}
            <Foreign text={finding.message} max={600} />
          </li>
        ))}
      </ul>
    </section>
  )
}
