import type { RuleUsage } from '@statewright/core/wire'
import { Link } from '@tanstack/react-router'
import {
  orderedRules,
  type PolicyRule,
  type ShownPolicy,
  type ShownRule,
} from '../../model/definitions/policy-rules.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count, perPeriod, perSeconds, usd } from '../../model/words/words.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { UsageBar } from './usage-bar.tsx'

const tones = { deny: 'bad', ask: 'wait', allow: 'good' } as const
const marks = { deny: 'no', ask: 'ask', allow: 'done' } as const

/** A policy with its rules in the order in which they are asked. */
export function PolicyCard(props: {
  readonly shown: ShownPolicy
  readonly usage: readonly RuleUsage[]
  readonly onEdit: () => void
}) {
  const { shown, usage, onEdit } = props
  const { title, where, policy, attached, defined } = shown
  const rules = orderedRules(shown, usage)
  const version = attached?.version ?? defined?.version ?? 1
  return (
    <section className="panel policy" aria-label={`Policy ${plainText(title, 80)}`}>
      <header>
        <h2 className="foreign">
          <Foreign text={title} max={100} /> <span className="soft small-text">v{version}</span>
        </h2>
        {attached === null ? (
          <Link
            to={defined?.kind === 'process' ? '/processes' : '/workflows'}
            className="small-text"
          >
            Defined in the {defined?.kind}
          </Link>
        ) : (
          <span className="row tight">
            <Link to="/policies/$name" params={{ name: attached.name }} className="button small">
              Versions<span className="visually-hidden"> of {plainText(title, 80)}</span>
            </Link>
            <button type="button" className="button small" onClick={onEdit}>
              Edit<span className="visually-hidden"> {plainText(title, 80)}</span>
            </button>
          </span>
        )}
      </header>
      <div className="body stack">
        <p className="soft small-text foreign">
          Applies to <Foreign text={where} max={300} />.
        </p>
        <ol className="rules">
          {rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place alone.
            <RuleLine key={index} number={index + 1} shown={rule} />
          ))}
          <li className="rule">
            <span className="soft number">{rules.length + 1}</span>
            <span className={`badge ${policy.default === 'deny' ? 'bad' : 'good'}`}>
              <Mark name={policy.default === 'deny' ? 'no' : 'done'} />
              {policy.default === 'deny' ? 'deny' : 'allow'}
            </span>
            <span className="soft">
              everything else
              {policy.default === undefined ? '; in strict mode it is denied' : ''}
            </span>
          </li>
        </ol>
      </div>
    </section>
  )
}

function RuleLine({ number, shown }: { readonly number: number; readonly shown: ShownRule }) {
  const { list, rule, usage } = shown
  return (
    <li className="rule">
      <span className="soft number">{number}</span>
      <span className={`badge ${tones[list]}`}>
        <Mark name={marks[list]} />
        {list}
      </span>
      <div className="stack rule-what">
        <span>
          <code className="foreign">
            <Foreign text={rule.capability} max={200} />
          </code>
          <span className="soft small-text"> {limitsOf(rule)}</span>
        </span>
        {usage.map((used) => (
          <UsageBar key={`${used.role} ${used.kind}`} used={used} who={used.role} />
        ))}
      </div>
    </li>
  )
}

function limitsOf({
  rate_limit: rate,
  budget_limit: budget,
  reserve_usd: held,
}: PolicyRule): string {
  const pieces: string[] = []
  if (rate !== undefined) {
    pieces.push(`${count(rate.max_calls, 'call')} ${perSeconds(rate.window_seconds)}`)
  }
  if (budget !== undefined) pieces.push(`${usd(budget.max_usd)} ${perPeriod(budget.period)}`)
  if (held !== undefined) pieces.push(`${usd(held)} reserved per call`)
  return pieces.join(', ')
}
