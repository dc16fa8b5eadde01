import type { ServerFacts, Trust } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { serverQuery, trustQuery } from '../../api/resources/settings.ts'
import type { MarkName } from '../../model/words/marks.ts'
import { levelNames } from '../../model/words/words.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { protectionWords } from './protection-words.ts'

/** How far the server can be relied on: what holds, and just as plainly what does not. */
export function Protection() {
  const trust = useQuery(trustQuery).data
  const server = useQuery(serverQuery).data
  if (trust === undefined) return null
  const gap = trust.enforcement_gap_until
  const words = protectionWords(trust.level, trust.mode)
  return (
    <section className="panel" aria-labelledby="protection-title">
      <header>
        <h2 id="protection-title">
          Protection: {trust.level}, {levelNames[trust.level]}
        </h2>
        <a href="/docs/security">Security levels</a>
      </header>
      <div className="body stack">
        <div className="claims">
          <Claims title="Protected" mark="done" tone="good" claims={words.holds} />
          <Claims title="Not protected" mark="danger" tone="bad" claims={words.not} />
        </div>
        <dl className="facts">
          <dt>Sandbox</dt>
          <dd>{sandboxText(trust, server)}</dd>
          <dt>Strict</dt>
          <dd>
            {trust.strict
              ? 'yes: no active run means no tools'
              : 'no: without an active run, only policies apply'}
          </dd>
          <dt>Unjudged calls</dt>
          <dd>
            {trust.unjudged.count}
            {trust.unjudged.last === null ? null : (
              <>
                , last in{' '}
                <Link to="/runs/$runId" params={{ runId: trust.unjudged.last.run_id }}>
                  this run
                </Link>
                : <Foreign text={trust.unjudged.last.text} />
              </>
            )}
          </dd>
          <dt>Enforcement gap</dt>
          <dd>
            {gap === null ? 'none' : `the server was down until ${new Date(gap).toLocaleString()}`}
          </dd>
        </dl>
      </div>
    </section>
  )
}

function Claims(props: {
  readonly title: string
  readonly mark: MarkName
  readonly tone: 'good' | 'bad'
  readonly claims: readonly string[]
}) {
  const { title, mark, tone, claims } = props
  return (
    <div>
      <h3>{title}</h3>
      <ul className="claim-list">
        {claims.map((claim) => (
          <li key={claim}>
            <span aria-hidden="true" className={tone}>
              <Mark name={mark} />
            </span>{' '}
            {claim}
          </li>
        ))}
      </ul>
    </div>
  )
}

function sandboxText(trust: Trust, server: ServerFacts | undefined): string {
  if (server === undefined) return 'Reading…'
  if (server.sandbox.kind === 'none') return server.sandbox.why ?? 'none on this machine'
  return trust.level === 'L0'
    ? 'bubblewrap is available on this machine but off: set "sandbox: auto" in statewright.yaml'
    : 'bubblewrap, in use'
}
