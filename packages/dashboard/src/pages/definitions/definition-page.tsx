import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { definitionQuery, versionsQuery } from '../../api/definitions.ts'
import { problemOf } from '../../api/problem.ts'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { VersionList } from '../../ui/version-list.tsx'
import { DefinitionLink } from './definition-link.tsx'
import './definitions.css'

// The text view is the largest part of this page and not needed to list versions.
const TextDiff = lazy(async () => ({ default: (await import('../editor/text-diff.tsx')).TextDiff }))

export function WorkflowPage() {
  return <DefinitionPage kind="workflow" name={useParams({ from: '/workflows/$name' }).name} />
}

export function ProcessPage() {
  return <DefinitionPage kind="process" name={useParams({ from: '/processes/$name' }).name} />
}

/** The versions of a definition, and what changed from one to another. */
function DefinitionPage(props: { readonly kind: DefinitionKind; readonly name: string }) {
  const { kind, name } = props
  const versions = useQuery(versionsQuery(kind, name))
  const newest = versions.data?.[0]?.version
  const [chosen, setChosen] = useState<{ from?: number; to?: number }>({})
  const to = chosen.to ?? newest
  const from = chosen.from ?? (to === undefined ? undefined : Math.max(1, to - 1))
  return (
    <Page
      title={name}
      subtitle={newest === undefined ? kind : `${kind} · version ${newest}`}
      actions={
        <>
          <Link to="/runs" search={{ workflow: name }} className="button">
            Runs
          </Link>
          <DefinitionLink kind={kind} name={name} to="edit" className="button primary">
            Open in the editor
          </DefinitionLink>
        </>
      }
    >
      {versions.error === null ? null : <ProblemNote problem={problemOf(versions.error)} />}
      {versions.data === undefined || from === undefined || to === undefined ? null : (
        <div className="versions">
          <VersionList
            versions={versions.data.map((line) => ({
              version: line.version,
              by: line.saved_by,
              at: line.saved_at,
              mark: line.draft ? <span className="badge wait">draft</span> : null,
            }))}
            from={from}
            to={to}
            onChoose={setChosen}
          />
          <Comparison kind={kind} name={name} from={from} to={to} />
        </div>
      )}
    </Page>
  )
}

function Comparison(props: {
  readonly kind: DefinitionKind
  readonly name: string
  readonly from: number
  readonly to: number
}) {
  const { kind, name, from, to } = props
  const old = useQuery(definitionQuery(kind, name, from)).data
  const fresh = useQuery(definitionQuery(kind, name, to)).data
  const isOne = from === to
  return (
    <section className="panel" aria-label="Text">
      <header>
        <h2>{isOne ? `Version ${to}` : `From version ${from} to ${to}`}</h2>
        {!isOne && old !== undefined && old.text === fresh?.text ? (
          <span className="soft small-text">the same text</span>
        ) : null}
      </header>
      <div className="diff">
        {old === undefined || fresh === undefined ? (
          <p className="soft body">Reading…</p>
        ) : (
          <Suspense fallback={<p className="soft body">Loading…</p>}>
            <TextDiff before={old.text} after={fresh.text} label={`${name}, version ${to}`} />
          </Suspense>
        )}
      </div>
    </section>
  )
}
