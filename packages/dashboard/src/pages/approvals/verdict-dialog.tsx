import { type Approval, endpoints } from '@statewright/core/wire'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { headlineOf } from '../../model/headline.ts'
import { plainText } from '../../model/plain-text.ts'
import { Modal } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ProposalBox } from './proposal-box.tsx'

export interface Asked {
  readonly approval: Approval
  readonly verdict: 'approve' | 'reject'
  readonly always: boolean
}

/** The last look before it counts. Enter confirms, Escape leaves everything as it is. */
export function VerdictDialog(props: { readonly asked: Asked; readonly onClose: () => void }) {
  const { asked, onClose } = props
  const { approval, verdict, always } = asked
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const confirm = useRef<HTMLButtonElement>(null)
  const reason = useRef<HTMLTextAreaElement>(null)
  const client = useQueryClient()
  const isApproval = verdict === 'approve'
  const isEmpty = approval.input === undefined && approval.data === undefined
  const [isRead, setRead] = useState(isEmpty)
  // Nobody approves what they cannot have seen: until its end was in sight, Enter reads on.
  const isUnread = isApproval && !isRead
  const box = useRef<HTMLElement>(null)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isUnread) {
      const { current: text } = box
      text?.scrollBy({ top: text.clientHeight * 0.9 })
      return
    }
    setBusy(true)
    const params = { id: approval.approval_id }
    const words = note.trim()
    try {
      if (isApproval) {
        const body = { note: words || undefined, always: always || undefined }
        await call(endpoints.approve, { params, body })
      } else {
        await call(endpoints.reject, { params, body: { reason: words } })
      }
      toast(isApproval ? 'good' : 'plain', isApproval ? 'Approved' : 'Rejected')
      await client.invalidateQueries({ queryKey: ['approvals'] })
      onClose()
    } catch (fault) {
      setProblem(problemOf(fault))
      setBusy(false)
      // Somebody else may have been faster: the list then says so.
      await client.invalidateQueries({ queryKey: ['approvals'] })
    }
  }

  return (
    <Modal
      isOpen
      onClose={onClose}
      focusFirst={isApproval ? confirm : reason}
      title={titleOf(asked)}
      description={plainText(outcomeOf(asked), 20_000)}
    >
      <form className="stack" onSubmit={send}>
        <ProposalBox approval={approval} onRead={() => setRead(true)} box={box} />
        <label className="field">
          <span>
            {isApproval
              ? 'Note, which the agent reads (optional)'
              : 'Reason, which the agent reads'}
          </span>
          <textarea
            ref={reason}
            value={note}
            required={!isApproval}
            maxLength={2000}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        {problem === null ? null : <ProblemNote problem={problem} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            ref={confirm}
            className={isApproval ? 'button primary' : 'button danger'}
            disabled={isBusy || (!isApproval && note.trim() === '')}
          >
            {isUnread ? 'Read on ▼' : isApproval ? 'Approve' : 'Reject'}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function outcomeOf({ approval, verdict, always }: Asked): string {
  if (verdict === 'reject') return approval.if_rejected ?? ''
  return (always ? approval.if_always : approval.if_approved) ?? ''
}

function titleOf({ approval, verdict, always }: Asked): string {
  const verb = verdict === 'reject' ? 'Reject' : always ? 'Always approve' : 'Approve'
  return plainText(`${verb}: ${headlineOf(approval)}`, 160)
}
