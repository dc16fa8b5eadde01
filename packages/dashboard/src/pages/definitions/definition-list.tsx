import type { DefinitionKind, DefinitionLine } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { definitionsQuery } from '../../api/definitions.ts'
import { problemOf } from '../../api/problem.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Foreign } from '../../ui/foreign-text.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Ago } from '../../ui/when.tsx'
import { DefinitionLink } from './definition-link.tsx'
import { DraftCard } from './draft-card.tsx'
import './definitions.css'

/** All definitions of a kind, those that agents propose first. */
export function DefinitionList(props: {
  readonly kind: DefinitionKind
  readonly title: string
  readonly subtitle: string
  readonly about: string
}) {
  const { kind, title, subtitle, about } = props
  const { data, error } = useQuery(definitionsQuery(kind))
  const drafts = data?.filter(({ draft }) => draft) ?? []
  const accepted = data?.filter(({ draft }) => !draft) ?? []
  const fresh = (
    <Link to="/templates" search={{ kind }} className="button primary">
      New {kind}
    </Link>
  )
  return (
    <Page title={title} subtitle={subtitle} actions={fresh}>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {drafts.length === 0 ? null : (
        <section className="stack" aria-label="Drafts by agents">
          <h2>
            Drafts by agents <span className="soft number">{drafts.length}</span>
          </h2>
          {drafts.map((line) => (
            <DraftCard key={line.name} kind={kind} line={line} />
          ))}
        </section>
      )}
      {data?.length === 0 ? (
        <EmptyState
          title={`No ${kind} yet`}
          command={`statewright workflow push ${kind}.yaml`}
          action={fresh}
        >
          {about}
        </EmptyState>
      ) : null}
      {accepted.length === 0 ? null : <Lines kind={kind} lines={accepted} />}
    </Page>
  )
}

function Lines(props: {
  readonly kind: DefinitionKind
  readonly lines: readonly DefinitionLine[]
}) {
  const { kind, lines } = props
  return (
    <div className="panel scroll-x">
      <table className="table definitions">
        <thead>
          <tr>
            <th>Name</th>
            <th>Version</th>
            <th>Saved</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <td>
                <DefinitionLink kind={kind} name={line.name} to="page">
                  <strong>
                    <Foreign text={line.name} max={120} />
                  </strong>
                </DefinitionLink>
                <div className="soft">
                  <Foreign text={line.description ?? ''} max={300} />
                </div>
              </td>
              <td className="number">{line.version}</td>
              <td className="soft">
                <Ago at={line.saved_at} />
                <div className="small-text">
                  by <Foreign text={line.saved_by} max={40} />
                </div>
              </td>
              <td>
                <span className="row tight">
                  <DefinitionLink kind={kind} name={line.name} to="edit" className="button small">
                    Edit
                  </DefinitionLink>
                  <Link to="/runs" search={{ workflow: line.name }} className="button small quiet">
                    Runs
                  </Link>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
