import { useQuery } from '@tanstack/react-query'
import { problemOf } from '../../api/client/problem.ts'
import { serverQuery } from '../../api/resources/settings.ts'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Ago } from '../../ui/values/when.tsx'

const guide = [
  ['/docs', 'Guide'],
  ['/docs/first-workflow', 'A first workflow'],
  ['/docs/clients', 'Coding clients'],
  ['/docs/security', 'Security'],
  ['/docs/troubleshooting', 'Troubleshooting'],
  ['/docs/reference/config', 'Configuration'],
] as const

/** Which server this is, where its data lie, and where to read on. */
export function ServerFacts() {
  const { data, error } = useQuery(serverQuery)
  return (
    <section className="panel" aria-labelledby="server-title">
      <header>
        <h2 id="server-title">This server</h2>
      </header>
      <div className="body stack">
        {error === null ? null : <ProblemNote problem={problemOf(error)} />}
        {data === undefined ? null : (
          <dl className="facts">
            <dt>Version</dt>
            <dd>
              {data.version} on Node {data.node.replace(/^v/, '')}
            </dd>
            <dt>Started</dt>
            <dd>
              <Ago at={data.started_at} />
            </dd>
            <dt>Address</dt>
            <dd>{data.url}</dd>
            <dt>Project</dt>
            <dd>{data.project}</dd>
            <dt>Data</dt>
            <dd>
              {data.store === 'sqlite' ? 'SQLite in ' : 'Postgres; files in '}
              {data.data}
            </dd>
          </dl>
        )}
        <nav className="row" aria-label="Guide">
          {guide.map(([href, word]) => (
            <a key={href} href={href}>
              {word}
            </a>
          ))}
        </nav>
      </div>
    </section>
  )
}
