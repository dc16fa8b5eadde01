import type { Allowance } from '@statewright/core/internal'
import type { Approval } from '@statewright/core/wire'
import { useEffect, useId, useMemo, useState } from 'react'
import { allowanceText } from '../../model/call-arguments.ts'
import { plainText } from '../../model/plain-text.ts'
import { offersFor, spans } from './offers.ts'

/** How much is allowed from now on: what, where and until when, and the text that is saved. */
export function AllowanceFields(props: {
  readonly approval: Approval
  /** Nothing: all that the rule asks about, for the rest of the run. */
  readonly onChange: (allowance: Allowance | null) => void
}) {
  const { approval, onChange } = props
  const offers = useMemo(() => offersFor(approval), [approval])
  const [chosen, setChosen] = useState(offers[0]?.id)
  const [where, setWhere] = useState<Allowance['where']>('state')
  const [spanMs, setSpanMs] = useState<number | null>(spans[1].ms)
  const [now] = useState(() => Date.now())
  const name = useId()
  const covers = offers.find(({ id }) => id === chosen)?.covers ?? null
  const allowance = useMemo((): Allowance | null => {
    if (covers === null) return null
    return { covers, where, ...(spanMs === null ? {} : { until: now + spanMs }) }
  }, [covers, where, spanMs, now])
  useEffect(() => onChange(allowance), [allowance, onChange])
  return (
    <fieldset className="choices stack">
      <legend className="allowance-legend">Allow from now on</legend>
      {offers.map((offer) => (
        <label key={offer.id} className="allowance-offer">
          <input
            type="radio"
            name={name}
            checked={offer.id === chosen}
            onChange={() => setChosen(offer.id)}
          />
          <span className="foreign">{plainText(offer.name, 400)}</span>
        </label>
      ))}
      {covers === null ? null : <Bounds {...{ approval, where, setWhere, spanMs, setSpanMs }} />}
      {covers === null ? (
        <p className="soft small-text">{plainText(approval.if_always ?? '', 2000)}</p>
      ) : null}
      <section className="block" aria-label="What is saved">
        <pre className="foreign">
          {allowance === null
            ? `allow: everything that ${approval.rules?.[0]?.path ?? 'this rule'} asks about
where: this run
until: the end of this run`
            : allowanceText(allowance, approval)}
        </pre>
      </section>
    </fieldset>
  )
}

function Bounds(props: {
  readonly approval: Approval
  readonly where: Allowance['where']
  readonly setWhere: (where: Allowance['where']) => void
  readonly spanMs: number | null
  readonly setSpanMs: (ms: number | null) => void
}) {
  const { approval, where, setWhere, spanMs, setSpanMs } = props
  return (
    <div className="row allowance-bounds">
      <label className="field">
        <span>Where</span>
        <select
          value={where}
          onChange={(event) => setWhere(event.target.value === 'run' ? 'run' : 'state')}
        >
          <option value="state">
            {approval.state === undefined
              ? 'The state of the question'
              : `State ${plainText(approval.state, 60)}`}
          </option>
          <option value="run">All of this run</option>
        </select>
      </label>
      <label className="field">
        <span>Until</span>
        <select
          value={spanMs ?? ''}
          onChange={({ target: { value } }) => setSpanMs(value === '' ? null : Number(value))}
        >
          {spans.map((span) => (
            <option key={span.name} value={span.ms ?? ''}>
              {span.name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
