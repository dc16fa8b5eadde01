import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { definitionQuery, saveDefinition, versionsQuery } from '../../api/resources/definitions.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { VersionList } from '../../ui/values/version-list.tsx'
import { ChangeList } from '../conflict/change-list.tsx'
import { DefinitionLink } from './definition-link.tsx'
import './definitions.css'

// The text view is the largest part of this page and not needed to list versions.
const TextDiff = lazy(async () => ({ default: (await import('../editor/text-diff.tsx')).TextDiff }))

const MachineNow = lazy(async () => ({
  default: (await import('./machine-now.tsx')).MachineNow,
}))

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
        versions.data === undefined ? undefined : (
          <>
            <Link to="/runs" search={{ workflow: name }} className="button">
              Runs
            </Link>
            <DefinitionLink kind={kind} name={name} to="edit" className="button primary">
              Open in the editor
            </DefinitionLink>
          </>
        )
      }
    >
      {versions.error === null ? null : <ProblemNote problem={problemOf(versions.error)} />}
      {versions.data === undefined || from === undefined || to === undefined ? null : (
        <>
          <Suspense fallback={<section className="panel machine-now" aria-hidden="true" />}>
            <MachineNow kind={kind} name={name} />
          </Suspense>
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
            <Comparison {...{ kind, name, from, to }} isNewest={to === newest} />
          </div>
        </>
      )}
    </Page>
  )
}

function Comparison(props: {
  readonly kind: DefinitionKind
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isNewest: boolean
}) {
  const { kind, name, from, to, isNewest } = props
  const old = useQuery(definitionQuery(kind, name, from)).data
  const fresh = useQuery(definitionQuery(kind, name, to)).data
  const [isRestoring, setRestoring] = useState(false)
  const isOne = from === to
  const isSame = !isOne && old !== undefined && old.text === fresh?.text
  return (
    <section className="panel" aria-label="Text">
      <header>
        <h2>{isOne ? `Version ${to}` : `From version ${from} to ${to}`}</h2>
        {isSame ? <span className="soft small-text">the same text</span> : null}
        {isNewest || fresh === undefined ? null : (
          <button type="button" className="button small" onClick={() => setRestoring(true)}>
            Restore version {to}
          </button>
        )}
      </header>
      {old === undefined || fresh === undefined ? (
        <p className="soft body">Reading…</p>
      ) : (
        <>
          {isOne || isSame ? null : <ChangeList before={old.text} after={fresh.text} />}
          <div className="diff">
            <Suspense fallback={<p className="soft body">Loading…</p>}>
              <TextDiff before={old.text} after={fresh.text} label={`${name}, version ${to}`} />
            </Suspense>
          </div>
        </>
      )}
      {isRestoring && fresh !== undefined ? (
        <RestoreDialog
          {...{ kind, name, version: to, text: fresh.text }}
          onClose={() => setRestoring(false)}
        />
      ) : null}
    </section>
  )
}

/** An older text becomes a new version: nothing of the history is lost. */
function RestoreDialog(props: {
  readonly kind: DefinitionKind
  readonly name: string
  readonly version: number
  readonly text: string
  readonly onClose: () => void
}) {
  const { kind, name, version, text, onClose } = props
  const newest = useQuery(definitionQuery(kind, name)).data
  return (
    <Confirm
      title={`Restore version ${version} of ${plainText(name, 60)}`}
      description="It is saved as a new version. Runs under way keep the version they began with."
      word="Restore"
      act={() => saveDefinition(kind, name, text)}
      done={`Version ${version} is the newest again`}
      changes={['definitions']}
      onClose={onClose}
    >
      {newest === undefined ? null : <ChangeList before={newest.text} after={text} />}
    </Confirm>
  )
}
