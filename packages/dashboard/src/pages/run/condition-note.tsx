import { type FailedCondition, fillCondition } from '../../model/words/failed-conditions.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'

/** A condition that stopped a call: what its author says, as written, and with what it saw. */
export function ConditionNote({ failed }: { readonly failed: FailedCondition }) {
  const { message, condition, isUnknown, saw, hints } = failed
  return (
    <div className="stack">
      {message === null ? null : (
        <p>
          <strong>
            <Foreign text={message} max={1000} />
          </strong>
        </p>
      )}
      <dl className="facts">
        <dt>needs</dt>
        <dd>
          <code className="foreign">{plainText(condition, 1000)}</code>
        </dd>
        <dt>saw</dt>
        <dd>
          <code className="foreign" data-part="filled">
            {fillCondition(failed).map((part) =>
              'text' in part ? (
                plainText(part.text, 1000)
              ) : (
                <mark
                  key={part.start}
                  className={part.value === null ? 'unknown' : ''}
                  title={part.what}
                >
                  {part.value === null ? 'not known' : plainText(part.value, 200)}
                </mark>
              ),
            )}
          </code>
        </dd>
        {saw.map(({ what, value }) => (
          <div key={what} className="context-field">
            <dt className="foreign">
              <code>{plainText(what, 200)}</code>
            </dt>
            <dd>{value === null ? 'not known' : <code>{plainText(value, 200)}</code>}</dd>
          </div>
        ))}
      </dl>
      {isUnknown ? <p className="small-text">What is unknown counts against the call.</p> : null}
      {hints.map((hint) => (
        <p key={hint} className="small-text">
          <Foreign text={hint} max={400} />
        </p>
      ))}
    </div>
  )
}
