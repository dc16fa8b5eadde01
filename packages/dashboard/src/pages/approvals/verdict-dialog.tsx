import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { ask, segment } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import type { Approval } from '../../api/types.ts'
import { consequenceOf } from '../../model/consequence.ts'
import { plainText } from '../../model/plain-text.ts'
import { Modal } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useStepUp } from '../../ui/step-up.tsx'
import { toast } from '../../ui/toasts.tsx'

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
  const stepUp = useStepUp()
  const client = useQueryClient()
  const consequence = consequenceOf(approval)
  const isApproval = verdict === 'approve'

  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const path = `/api/approvals/${segment(approval.approval_id)}/${verdict}`
    const words = note.trim()
    const body = isApproval
      ? { ...(words === '' ? {} : { note: words }), ...(always ? { always } : {}) }
      : { reason: words }
    try {
      await stepUp((pin) => ask<Approval>('POST', path, { body, pin }))
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
      {...(isApproval ? { focusFirst: confirm } : {})}
      title={titleOf(asked, consequence.headline)}
      description={plainText(
        isApproval
          ? ((always ? consequence.always : null) ?? consequence.ifApproved)
          : consequence.ifRejected,
      )}
    >
      <form className="stack" onSubmit={send}>
        <label className="field">
          <span>{isApproval ? 'Note (optional)' : 'Reason, which the agent reads'}</span>
          <textarea
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
            {isApproval ? 'Approve' : 'Reject'}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function titleOf({ verdict, always }: Asked, headline: string): string {
  const verb = verdict === 'reject' ? 'Reject' : always ? 'Always approve' : 'Approve'
  return plainText(`${verb}: ${headline}`, 160)
}
