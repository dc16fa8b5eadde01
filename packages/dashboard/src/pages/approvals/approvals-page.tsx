import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { problemOf } from '../../api/client/problem.ts'
import { runsOfQuery, waitingQuery } from '../../api/resources/queries.ts'
import { count } from '../../model/words/words.ts'
import { NoticeButton } from '../../ui/dialogs/toasts.tsx'
import { useHotkeys } from '../../ui/page/hotkeys.ts'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { NothingWaits } from './nothing-waits.tsx'
import { RecentVerdicts } from './recent-verdicts.tsx'
import type { VerdictRequest } from './verdict-dialog.tsx'
import './approvals.css'

const loadDialog = () => import('./verdict-dialog.tsx')
const VerdictDialog = lazy(async () => ({ default: (await loadDialog()).VerdictDialog }))

/** So many are drawn at first: nobody reads more at once, and a page of all of them is slow. */
const pageSize = 50

/** The inbox: what waits for a person, oldest first, each with all that a decision needs. */
export function ApprovalsPage() {
  const { data, error } = useQuery(waitingQuery)
  const [request, setRequest] = useState<VerdictRequest | null>(null)
  useDialogAtHand()
  const waiting = [...(data ?? [])].sort((one, other) => one.opened_at - other.opened_at)
  const rows = useQuery(runsOfQuery(waiting.map(({ run_id }) => run_id))).data
  const rowOf = new Map(rows?.map((row) => [row.run_id, row]))
  const { chosen, at, choose } = useChoice(waiting)
  const [pages, setPages] = useState(1)
  // Anyone who steps to the end of what is shown sees what follows.
  const shown = Math.max(pages * pageSize, at + 10)
  const step = (by: number) => choose(waiting[at + by])
  const decide = (verdict: VerdictRequest['verdict'], always = false) => {
    if (chosen !== undefined) setRequest({ approval: chosen, verdict, always })
  }
  useInboxKeys({ step, decide, canAllow: chosen?.kind === 'ask' })
  return (
    <Page
      title="Approvals"
      subtitle={<Subtitle waiting={data?.length} hasFailed={error !== null} />}
      actions={<NoticeButton />}
    >
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data?.length === 0 ? (
        <NothingWaits />
      ) : (
        <Inbox>
          {waiting.slice(0, shown).map((approval) => (
            <ApprovalCard
              key={approval.approval_id}
              approval={approval}
              row={rowOf.get(approval.run_id)}
              equals={approval === chosen ? equalsOf(approval, waiting).length : 0}
              onDecideAll={() => {
                const others = equalsOf(approval, waiting)
                setRequest({ approval, verdict: 'approve', always: false, others })
              }}
              isChosen={approval.approval_id === chosen?.approval_id}
              onChoose={() => choose(approval)}
              onDecide={decide}
            />
          ))}
        </Inbox>
      )}
      <More left={waiting.length - shown} onMore={() => setPages(pages + 1)} />
      <RecentVerdicts />
      <Verdict
        request={request}
        onClose={() => {
          setRequest(null)
          focusChosen()
        }}
      />
    </Page>
  )
}

const signs = ['pointermove', 'pointerdown', 'keydown'] as const

/** The dialog comes with the first sign of somebody who may open it, and not with the page. */
function useDialogAtHand(): void {
  useEffect(() => {
    const leaving = new AbortController()
    const load = () => {
      leaving.abort()
      void loadDialog().catch(() => undefined)
    }
    for (const sign of signs) window.addEventListener(sign, load, { signal: leaving.signal })
    return () => leaving.abort()
  }, [])
}

/** Has a heading of its own, so that those of its cards stand below one. */
function Inbox({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <h2 className="visually-hidden">Waiting for a decision</h2>
      <ul className="inbox" aria-label="Waiting for a decision">
        {children}
      </ul>
    </>
  )
}

function useInboxKeys(on: {
  readonly step: (by: number) => void
  readonly decide: (verdict: VerdictRequest['verdict'], always?: boolean) => void
  readonly canAllow: boolean
}): void {
  const { step, decide, canAllow } = on
  useHotkeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    a: () => decide('approve'),
    r: () => decide('reject'),
    l: () => (canAllow ? decide('approve', true) : undefined),
  })
}

function Verdict(props: { readonly request: VerdictRequest | null; readonly onClose: () => void }) {
  const { request, onClose } = props
  if (request === null) return null
  return (
    <Suspense fallback={null}>
      <VerdictDialog request={request} onClose={onClose} />
    </Suspense>
  )
}

function More({ left, onMore }: { readonly left: number; readonly onMore: () => void }) {
  if (left <= 0) return null
  return (
    <button type="button" className="button" onClick={onMore}>
      Show {Math.min(pageSize, left)} of {left} more
    </button>
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

/** Which ask for the very same call: one reading is enough for all of them. */
function equalsOf(approval: Approval, waiting: readonly Approval[]): readonly Approval[] {
  if (approval.kind !== 'ask') return []
  const keyOf = ({ kind, tool, input, input_more: more = 0 }: Approval) =>
    JSON.stringify([kind, tool, input, more])
  // Of what was not kept whole nobody knows whether it is the same.
  if ((approval.input_more ?? 0) > 0) return []
  return waiting.filter((one) => one !== approval && keyOf(one) === keyOf(approval))
}

/** Which one is open: the one in the address; after it was decided the next one, else the first. */
function useChoice(waiting: readonly Approval[]) {
  const navigate = useNavigate()
  const { approval: named } = useSearch({ from: '/' })
  const last = useRef({ id: '', at: 0 })
  const indexOf = (id: string | undefined) => waiting.findIndex((one) => one.approval_id === id)
  const found = [indexOf(named), indexOf(last.current.id)].find((index) => index !== -1)
  const at = found ?? Math.max(0, Math.min(last.current.at, waiting.length - 1))
  const chosen = waiting[at]
  useEffect(() => {
    if (chosen !== undefined) last.current = { id: chosen.approval_id, at }
  }, [chosen, at])
  const choose = (approval: Approval | undefined) => {
    if (approval === undefined) return
    void navigate({ to: '/', search: { approval: approval.approval_id }, replace: true })
  }
  return { chosen, at, choose }
}

/** What had the keyboard may be gone with its card: then the open one has it. */
function focusChosen(): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('.inbox-card.is-chosen .inbox-head')?.focus()
  }, 50)
}
