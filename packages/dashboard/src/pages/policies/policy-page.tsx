import { type AttachedPolicy, endpoints } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { policyVersionsQuery } from '../../api/resources/definitions.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { VersionList } from '../../ui/values/version-list.tsx'
import '../definitions/definitions.css'

// The text view is the largest part of this page and not needed to list versions.
const TextDiff = lazy(async () => ({ default: (await import('../editor/text-diff.tsx')).TextDiff }))

/** The versions of a policy, what changed from one to another, and back to one of them. */
export function PolicyPage() {
  const { name } = useParams({ from: '/policies/$name' })
  const versions = useQuery(policyVersionsQuery(name))
  const [chosen, setChosen] = useState<{ from: number; to: number } | null>(null)
  const newest = versions.data?.[0]
  const to = chosen?.to ?? newest?.version
  const from = chosen?.from ?? (to === undefined ? undefined : Math.max(1, to - 1))
  const old = versions.data?.find(({ version }) => version === from)
  const fresh = versions.data?.find(({ version }) => version === to)
  return (
    <Page
      title={name}
      subtitle={newest === undefined ? 'policy' : subtitleOf(newest)}
      actions={
        <Link to="/policies" className="button">
          All policies
        </Link>
      }
    >
      {versions.error === null ? null : <ProblemNote problem={problemOf(versions.error)} />}
      {versions.data === undefined || old === undefined || fresh === undefined ? null : (
        <div className="versions">
          <VersionList
            versions={versions.data.map((one) => ({
              version: one.version,
              by: one.saved_by,
              at: one.saved_at,
              mark: one.removed === true ? <span className="badge bad">removed</span> : null,
            }))}
            from={old.version}
            to={fresh.version}
            onChoose={setChosen}
          />
          <Comparison old={old} fresh={fresh} isNewest={fresh === newest} />
        </div>
      )}
    </Page>
  )
}

function subtitleOf({ version, removed }: AttachedPolicy): string {
  return removed === true ? 'policy · removed' : `policy · version ${version}`
}

function Comparison(props: {
  readonly old: AttachedPolicy
  readonly fresh: AttachedPolicy
  readonly isNewest: boolean
}) {
  const { old, fresh, isNewest } = props
  const { name, version } = fresh
  const [before, after] = [textOf(old), textOf(fresh)]
  const isOne = old.version === version
  return (
    <section className="panel" aria-label="Text">
      <header>
        <h2>{isOne ? `Version ${version}` : `From version ${old.version} to ${version}`}</h2>
        {!isOne && before === after ? <span className="soft small-text">the same text</span> : null}
        {isNewest && fresh.removed !== true ? null : (
          <RestoreButton name={name} version={version} />
        )}
      </header>
      <div className="diff">
        <Suspense fallback={<p className="soft body">Loading…</p>}>
          <TextDiff before={before} after={after} label={`${name}, version ${version}`} />
        </Suspense>
      </div>
    </section>
  )
}

function RestoreButton({ name, version }: { readonly name: string; readonly version: number }) {
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const client = useQueryClient()
  const restore = async () => {
    setProblem(null)
    try {
      await call(endpoints.restorePolicy, { params: { name }, body: { version } })
      toast('good', 'Restored: it applies from the next call on')
      await client.invalidateQueries({ queryKey: ['policies'] })
    } catch (fault) {
      setProblem(problemOf(fault))
    }
  }
  return (
    <>
      <button type="button" className="button small" onClick={() => void restore()}>
        Restore version {version}
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  )
}

/** The policy with the project that it holds for, which is part of what changed. */
function textOf({ policy, project }: AttachedPolicy): string {
  const where = project === null ? {} : { project }
  return `${JSON.stringify({ ...where, ...policy }, null, 2)}\n`
}
