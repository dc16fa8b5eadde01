import type { Allowance } from '@statewright/core/internal'
import { type Approval, endpoints } from '@statewright/core/wire'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { apiFault } from '../../api/client/problem.ts'
import { headlineOf } from '../../model/words/call-arguments.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count } from '../../model/words/words.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import type { Allowed } from './allowance-fields.tsx'
import type { ProjectRule } from './project-rule.ts'
import { ProposalBox } from './proposal-box.tsx'
import './approvals.css'

// Reads commands as the judge does, which is much to load for what is rarely opened.
const AllowanceFields = lazy(async () => ({
  default: (await import('./allowance-fields.tsx')).AllowanceFields,
}))

export interface VerdictRequest {
  readonly approval: Approval
  readonly verdict: 'approve' | 'reject'
  readonly always: boolean
  /** Those that ask for the very same call, and are decided with it. */
  readonly others?: readonly Approval[]
}

/** The last look before it counts. Enter confirms, Escape leaves everything as it is. */
export function VerdictDialog(props: {
  readonly request: VerdictRequest
  readonly onClose: () => void
}) {
  const { request, onClose } = props
  const { approval, verdict, always, others = [] } = request
  const [note, setNote] = useState('')
  const [allowed, setAllowed] = useState<Allowed>()
  const confirm = useRef<HTMLButtonElement>(null)
  const reason = useRef<HTMLTextAreaElement>(null)
  const isApproval = verdict === 'approve'
  const isEmpty = approval.input === undefined && approval.data === undefined
  const [isRead, setRead] = useState(isEmpty)
  // Nobody approves what they cannot have seen: until its end was in sight, Enter reads on.
  const isUnread = isApproval && !isRead
  const box = useRef<HTMLElement>(null)

  const act = () => {
    if (isUnread) {
      const { current: text } = box
      text?.scrollBy({ top: text.clientHeight * 0.9 })
      return undefined
    }
    const words = note.trim()
    if (!isApproval) return reject(approval, words)
    return approveAs([approval, ...others], words || undefined, always ? allowed : undefined)
  }

  return (
    <Confirm
      title={titleOf(request)}
      description={always ? undefined : plainText(outcomeOf(request), 20_000)}
      word={isUnread ? 'Read on' : isApproval ? 'Approve' : 'Reject'}
      act={act}
      changes={['approvals']}
      done={isApproval ? 'Approved' : 'Rejected'}
      doneTo={plainText(headlineOf(approval), 160)}
      tone={isApproval ? 'good' : 'plain'}
      isDangerous={!isApproval}
      isReady={isApproval ? !always || allowed !== undefined : note.trim() !== ''}
      focusFirst={isApproval ? confirm : reason}
      button={confirm}
      onClose={onClose}
    >
      <EqualCalls approvals={[approval, ...others]} />
      <ProposalBox approval={approval} onRead={() => setRead(true)} box={box} />
      {always ? (
        <Suspense fallback={null}>
          <AllowanceFields approval={approval} onChange={setAllowed} />
        </Suspense>
      ) : null}
      <NoteField isOptional={isApproval} field={reason} note={note} onChange={setNote} />
    </Confirm>
  )
}

function NoteField(props: {
  readonly isOptional: boolean
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly note: string
  readonly onChange: (note: string) => void
}) {
  const { isOptional, field, note, onChange } = props
  return (
    <label className="field">
      <span>
        {isOptional ? 'Note, which the agent reads (optional)' : 'Reason, which the agent reads'}
      </span>
      <textarea
        ref={field}
        value={note}
        required={!isOptional}
        maxLength={2000}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

function EqualCalls({ approvals }: { readonly approvals: readonly Approval[] }) {
  if (approvals.length === 1) return null
  const runs = new Set(approvals.map(({ run_id }) => run_id)).size
  return (
    <p className="note wait">
      {approvals.length} calls with exactly these arguments, in {count(runs, 'run')}, are approved
      once each.
    </p>
  )
}

function reject({ approval_id: id }: Approval, reason: string) {
  return call(endpoints.reject, { params: { id }, body: { reason } })
}

/** Once, or from now on as far as the person chose. */
function approveAs(
  approvals: readonly Approval[],
  note: string | undefined,
  allowed: Allowed | undefined,
): Promise<void> {
  if (allowed === undefined) return approveAll(approvals, { note })
  const { rule, allowance } = allowed
  if (rule !== null) return approveInProject(approvals, rule, note)
  return approveAll(approvals, { note, always: true, allowance: allowance ?? undefined })
}

/**
 * Changes the rule of the project, then approves once: if it is not saved, nothing is approved. The
 * policy is read again, so that nothing is saved but what was shown.
 */
async function approveInProject(
  approvals: readonly Approval[],
  shown: ProjectRule,
  note: string | undefined,
): Promise<void> {
  const { policies } = await call(endpoints.listPolicies, {})
  const { projectRule } = await import('./project-rule.ts')
  const rule = approvals[0] === undefined ? null : projectRule(approvals[0], policies)
  if (rule?.text !== shown.text) {
    const message = 'The policy has changed since.'
    throw apiFault({ status: 409, code: 'conflict', message, next: 'look at its text again.' })
  }
  const { name, policy, project } = rule
  await call(endpoints.savePolicy, { params: { name }, body: { policy, project } })
  await approveAll(approvals, { note })
}

/** One after the other: after the first the person has given the proof. */
async function approveAll(
  approvals: readonly Approval[],
  body: {
    readonly note: string | undefined
    readonly always?: boolean
    readonly allowance?: Allowance | undefined
  },
): Promise<void> {
  for (const { approval_id: id } of approvals) {
    await call(endpoints.approve, { params: { id }, body })
  }
}

function outcomeOf({ approval, verdict }: VerdictRequest): string {
  return (verdict === 'reject' ? approval.if_rejected : approval.if_approved) ?? ''
}

function titleOf({ approval, verdict, always }: VerdictRequest): string {
  const verb = verdict === 'reject' ? 'Reject' : always ? 'Allow from now on' : 'Approve'
  return plainText(`${verb}: ${headlineOf(approval)}`, 160)
}
