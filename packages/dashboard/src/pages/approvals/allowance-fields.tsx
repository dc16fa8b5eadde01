import type { Allowance } from '@statewright/core/internal'
import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useState } from 'react'
import { policiesQuery } from '../../api/resources/definitions.ts'
import { allowanceText } from '../../model/words/call-arguments.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { offersFor, spans } from './offers.ts'
import { type ProjectRule, projectRule } from './project-rule.ts'

/** What is saved beside the approval. */
export interface Allowed {
  /** Nothing: all that the rule asks about, for the rest of the run. */
  readonly allowance: Allowance | null
  /** Instead of it, the rule of the project is changed. */
  readonly rule: ProjectRule | null
}

/** How much is allowed from now on: what, where and until when, and the text that is saved. */
export function AllowanceFields(props: {
  readonly approval: Approval
  readonly onChange: (allowed: Allowed) => void
}) {
  const { approval, onChange } = props
  const offers = useMemo(() => offersFor(approval), [approval])
  const [chosen, setChosen] = useState(offers[0]?.id)
  const [where, setWhere] = useState<Scope>('state')
  const policies = useQuery(policiesQuery).data?.policies
  const offered = useMemo(() => projectRule(approval, policies ?? []), [approval, policies])
  // Of a whole project only this very call is ever allowed.
  const rule = chosen === 'call' && where === 'project' ? offered : null
  const [spanMs, setSpanMs] = useState<number | null>(spans[1].ms)
  const [now] = useState(() => Date.now())
  const name = useId()
  const covers = offers.find(({ id }) => id === chosen)?.covers ?? null
  const allowance = useMemo((): Allowance | null => {
    if (covers === null) return null
    const inside = where === 'run' ? 'run' : 'state'
    return { covers, where: inside, ...(spanMs === null ? {} : { until: now + spanMs }) }
  }, [covers, where, spanMs, now])
  useEffect(() => onChange({ allowance, rule }), [allowance, rule, onChange])
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
      {covers === null ? null : (
        <Bounds
          {...{ approval, where, setWhere, spanMs, setSpanMs }}
          project={chosen === 'call' ? offered?.project : undefined}
        />
      )}
      {covers === null ? (
        <p className="soft small-text">{plainText(approval.if_always ?? '', 2000)}</p>
      ) : null}
      <section className="block" aria-label="What is saved">
        <pre className="foreign">
          {rule !== null
            ? plainText(rule.text, 8000)
            : allowance === null
              ? `allow: everything that ${approval.rules?.[0]?.path ?? 'this rule'} asks about
where: this run
until: the end of this run`
              : allowanceText(allowance, approval)}
        </pre>
      </section>
    </fieldset>
  )
}

type Scope = Allowance['where'] | 'project'

function scopeOf(word: string): Scope {
  return word === 'run' || word === 'project' ? word : 'state'
}

function Bounds(props: {
  readonly approval: Approval
  readonly where: Scope
  readonly setWhere: (where: Scope) => void
  /** Where the rule of a project can be changed. */
  readonly project: string | undefined
  readonly spanMs: number | null
  readonly setSpanMs: (ms: number | null) => void
}) {
  const { approval, where, setWhere, project, spanMs, setSpanMs } = props
  const isProject = where === 'project' && project !== undefined
  return (
    <div className="row allowance-bounds">
      <label className="field">
        <span>Where</span>
        <select
          value={where === 'project' && !isProject ? 'state' : where}
          onChange={(event) => setWhere(scopeOf(event.target.value))}
        >
          <option value="state">
            {approval.state === undefined
              ? 'The state in which it was asked'
              : `State ${plainText(approval.state, 60)}`}
          </option>
          <option value="run">All of this run</option>
          {project === undefined ? null : (
            <option value="project">{`All runs in ${plainText(project, 80)}`}</option>
          )}
        </select>
      </label>
      {isProject ? null : (
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
      )}
    </div>
  )
}
