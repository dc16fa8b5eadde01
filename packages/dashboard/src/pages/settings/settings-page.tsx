import { useQuery } from '@tanstack/react-query'
import { problemOf } from '../../api/problem.ts'
import { tokensQuery } from '../../api/queries.ts'
import { trustQuery } from '../../api/trust.ts'
import { Foreign } from '../../ui/foreign-text.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { Ago } from '../../ui/when.tsx'

export function SettingsPage() {
  return (
    <Page title="Settings">
      <section className="panel">
        <header>
          <h2>Look</h2>
        </header>
        <div className="body">
          <ThemeSwitch />
        </div>
      </section>
      <Protection />
      <Tokens />
    </Page>
  )
}

function Protection() {
  const trust = useQuery(trustQuery).data
  if (trust === undefined || trust === null) return null
  return (
    <section className="panel">
      <header>
        <h2>Protection</h2>
      </header>
      <dl className="body facts">
        <dt>Mode</dt>
        <dd>
          {trust.mode === 'enforce'
            ? 'enforce: what the rules deny is denied'
            : `observe: nothing is denied; ${trust.would_have_denied ?? 0} calls would have been`}
        </dd>
        <dt>Level</dt>
        <dd>
          {trust.level}: {trust.sentence}
        </dd>
        <dt>Strict</dt>
        <dd>{trust.strict ? 'yes: no active run means no tools' : 'no'}</dd>
        <dt>Unjudged calls</dt>
        <dd>
          {trust.unjudged.count}
          {trust.unjudged.last === null ? null : (
            <>
              , last: <Foreign text={trust.unjudged.last.text} />
            </>
          )}
        </dd>
        <dt>Enforcement gap</dt>
        <dd>
          {trust.enforcement_gap_until === null
            ? 'none'
            : `the server was dead until ${new Date(trust.enforcement_gap_until).toLocaleString()}`}
        </dd>
        <dt>Clients seen</dt>
        <dd>
          {trust.clients.length === 0 ? 'none yet' : null}
          {trust.clients.map((one) => (
            <div key={one.client}>
              <Foreign text={one.client} most={60} /> · {one.hooks} hooks · {one.sessions} sessions
            </div>
          ))}
        </dd>
      </dl>
    </section>
  )
}

function Tokens() {
  const { data, error } = useQuery(tokensQuery)
  return (
    <section className="panel">
      <header>
        <h2>Tokens</h2>
      </header>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Kind</th>
              <th>Role</th>
              <th>Made</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((token) => (
              <tr key={token.id}>
                <td>
                  <Foreign text={token.name} />
                </td>
                <td>{token.kind}</td>
                <td>
                  <Foreign text={token.role} />
                </td>
                <td>
                  <Ago at={token.created_at} />
                </td>
                <td>{token.revoked_at === null ? 'counts' : 'revoked'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
