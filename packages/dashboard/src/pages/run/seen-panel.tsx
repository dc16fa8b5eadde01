import type { SeenCall, SeenSoFar, ShownFact, ShownMark } from '../../model/history/seen-so-far.ts'
import { plainText, plainValue } from '../../model/words/plain-text.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { Ago, Left } from '../../ui/values/when.tsx'
import './seen.css'

/** Leads to an entry; undefined where there is none to be led to. */
type Select = ((seq: number) => void) | undefined

/** Facts and marks of a run: what conditions read beside the call itself. */
export function SeenPanel(props: { readonly seen: SeenSoFar; readonly onSelect?: Select }) {
  const { seen, onSelect } = props
  const { facts, marks, missing, hasSeveral } = seen
  const isEmpty = facts.length + missing.length === 0
  return (
    <section className="panel" aria-label="Seen so far">
      <header>
        <h2>Seen so far</h2>
        <span className="soft small-text">what conditions read</span>
      </header>
      <div className="body stack">
        {isEmpty ? null : <h3>Facts</h3>}
        {isEmpty ? null : (
          <ul className="seen-list" aria-label="Facts">
            {facts.map((fact) => (
              <li key={`${fact.definition} ${fact.fact} ${fact.key}`} className="seen-line">
                <FactLine fact={fact} owner={hasSeveral ? fact.definition : null} />
                <From call={fact.call} id={fact.call_id} at={fact.at} onSelect={onSelect}>
                  {fact.expires_at === null ? null : (
                    <span>
                      {' '}
                      · <Left until={fact.expires_at} />
                    </span>
                  )}
                </From>
              </li>
            ))}
            {missing.map(({ definition, fact, from }) => (
              <li key={`${definition} ${fact}`} className="seen-line">
                <span className="foreign">
                  <code>{plainText(fact, 100)}</code> <OpenBadge word="not seen" />
                </span>
                <span className="soft small-text foreign">
                  {hasSeveral ? `${plainText(definition, 60)} · ` : ''}
                  learned from {plainText(from.join(', '), 200)}
                </span>
              </li>
            ))}
          </ul>
        )}
        {marks.length === 0 ? null : <h3>Marks</h3>}
        {marks.length === 0 ? null : (
          <ul className="seen-list" aria-label="Marks">
            {marks.map((mark) => (
              <li key={`${mark.definition} ${mark.mark}`} className="seen-line">
                <MarkLine mark={mark} owner={hasSeveral ? mark.definition : null} />
                {mark.call_id === null || mark.at === null ? null : (
                  <From call={mark.call} id={mark.call_id} at={mark.at} onSelect={onSelect} />
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function FactLine(props: { readonly fact: ShownFact; readonly owner: string | null }) {
  const { fact, owner } = props
  return (
    <span className="foreign">
      {owner === null ? null : <span className="soft">{plainText(owner, 60)} </span>}
      <code>
        {plainText(fact.fact, 100)}
        {fact.key === null ? '' : `[${plainText(JSON.stringify(fact.key), 200)}]`}
      </code>{' '}
      = <code>{plainValue(fact.value, 500)}</code>{' '}
      {fact.isPrivate ? <span className="badge">hashed</span> : null}
    </span>
  )
}

function MarkLine(props: { readonly mark: ShownMark; readonly owner: string | null }) {
  const { mark, owner } = props
  return (
    <span className="foreign">
      {owner === null ? null : <span className="soft">{plainText(owner, 60)} </span>}
      <code>{plainText(mark.mark, 100)}</code>{' '}
      {mark.call_id === null ? (
        <OpenBadge word="not set" />
      ) : (
        <span className="badge wait">
          <Mark name="flag" />
          set
        </span>
      )}
    </span>
  )
}

/** The call behind it leads to its line in the history. */
function From(props: {
  readonly call: SeenCall | undefined
  readonly id: string
  readonly at: number
  readonly onSelect: Select
  readonly children?: React.ReactNode
}) {
  const { call, id, at, onSelect, children } = props
  return (
    <span className="soft small-text">
      {call === undefined || onSelect === undefined ? (
        <Foreign text={call?.tool ?? id} max={120} />
      ) : (
        <button type="button" className="link" onClick={() => onSelect(call.seq)}>
          <Foreign text={call.tool} max={120} />
        </button>
      )}{' '}
      <Ago at={at} />
      {children}
    </span>
  )
}

function OpenBadge({ word }: { readonly word: string }) {
  return (
    <span className="badge">
      <Mark name="open" />
      {word}
    </span>
  )
}
