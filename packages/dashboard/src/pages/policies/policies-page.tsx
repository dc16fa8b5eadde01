import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { policiesQuery, policyUsageQuery } from '../../api/resources/definitions.ts'
import { type ShownPolicy, shownPolicies } from '../../model/definitions/policy-rules.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { PolicyCard } from './policy-card.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { SpendChart } from './spend-chart.tsx'
import { TryCall } from './try-call.tsx'
import './policies.css'

/** What may be called by whom, how often and for how much, and how much of it is used. */
export function PoliciesPage() {
  const { data, error } = useQuery(policiesQuery)
  const usage = useQuery(policyUsageQuery).data
  const [editing, setEditing] = useState<ShownPolicy | 'new' | null>(null)
  const policies = shownPolicies(data?.policies ?? [], data?.definitions ?? [])
  return (
    <Page
      title="Policies and budgets"
      subtitle="Several can apply to one call: the strictest answer wins"
      actions={
        <button type="button" className="button primary" onClick={() => setEditing('new')}>
          New policy
        </button>
      }
    >
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      <div className="policy-columns">
        <div className="stack">
          {data === undefined && error === null ? <p className="soft">Reading…</p> : null}
          {data !== undefined && policies.length === 0 ? (
            <EmptyState title="No policy yet" command="statewright policy explain --tool Bash">
              A policy says what may be called by whom, how often and for how much. A workflow may
              contain one, or you create one for a project or a role here.
            </EmptyState>
          ) : null}
          {policies.map((shown) => (
            <PolicyCard
              key={shown.key}
              shown={shown}
              usage={usage?.rules ?? []}
              onEdit={() => setEditing(shown)}
            />
          ))}
        </div>
        <div className="stack">
          <TryCall />
          {usage === undefined ? null : <SpendChart spend={usage.spend} />}
        </div>
      </div>
      {editing === null ? null : (
        <PolicyEditor
          attached={editing === 'new' ? null : editing.attached}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  )
}
