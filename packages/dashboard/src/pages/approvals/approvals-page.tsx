import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { problemOf } from '../../api/problem.ts'
import { approvalsQuery } from '../../api/queries.ts'
import { count } from '../../model/words.ts'
import { useHotkeys } from '../../ui/hotkeys.ts'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { NothingWaits } from './nothing-waits.tsx'
import { RecentVerdicts } from './recent-verdicts.tsx'
import type { VerdictRequest } from './verdict-dialog.tsx'
import './approvals.css'

// The list is read first; by the time that somebody has read it, the dialog is there as well.
const loadDialog = () => import('./verdict-dialog.tsx')
const VerdictDialog = lazy(async () => ({ default: (await loadDialog()).VerdictDialog }))

/** The inbox: what waits for a person, oldest first, each with all that a decision needs. */
export function ApprovalsPage() {
  const { data, error } = useQuery(approvalsQuery('waiting'))
  const [request, setRequest] = useState<VerdictRequest | null>(null)
  useEffect(() => void loadDialog().catch(() => undefined), [])
  const waiting = [...(data ?? [])].sort((one, other) => one.opened_at - other.opened_at)
  const { chosen, choose } = useChoice(waiting)
  const at = waiting.findIndex((one) => one.approval_id === chosen?.approval_id)
  const step = (by: number) => choose(waiting[at + by])
  const decide = (verdict: VerdictRequest['verdict'], always = false) => {
    if (chosen !== undefined) setRequest({ approval: chosen, verdict, always })
  }
  useHotkeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    a: () => decide('approve'),
    r: () => decide('reject'),
    l: () => (chosen?.kind === 'ask' ? decide('approve', true) : undefined),
  })
  return (
    <Page
      title="Approvals"
      subtitle={<Subtitle waiting={data?.length} hasFailed={error !== null} />}
    >
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data?.length === 0 ? (
        <NothingWaits />
      ) : (
        <ul className="inbox" aria-label="Waiting for a decision">
          {waiting.map((approval) => (
            <ApprovalCard
              key={approval.approval_id}
              approval={approval}
              isChosen={approval.approval_id === chosen?.approval_id}
              onChoose={() => choose(approval)}
              onDecide={decide}
            />
          ))}
        </ul>
      )}
      <RecentVerdicts />
      {request === null ? null : (
        <Suspense fallback={null}>
          <VerdictDialog request={request} onClose={() => setRequest(null)} />
        </Suspense>
      )}
    </Page>
  )
}

/** Until the server has answered nobody knows: "nothing" would be a guess. */
function Subtitle(props: { readonly waiting: number | undefined; readonly hasFailed: boolean }) {
  const { waiting, hasFailed } = props
  if (waiting === undefined) return hasFailed ? 'What waits for you is not known.' : 'Reading…'
  if (waiting === 0) return 'Nothing waits for you.'
  return (
    <>
      {count(waiting, 'decision')} for you
      <span className="keys-hint">
        {' '}
        · <kbd>j</kbd> <kbd>k</kbd> move, <kbd>a</kbd> approve, <kbd>r</kbd> reject
      </span>
    </>
  )
}

/** Which one is open: the one in the address, else the first. */
function useChoice(waiting: readonly Approval[]) {
  const navigate = useNavigate()
  const { approval: named } = useSearch({ from: '/' })
  const chosen = waiting.find((one) => one.approval_id === named) ?? waiting[0]
  const choose = (approval: Approval | undefined) => {
    if (approval === undefined) return
    void navigate({ to: '/', search: { approval: approval.approval_id }, replace: true })
  }
  return { chosen, choose }
}
