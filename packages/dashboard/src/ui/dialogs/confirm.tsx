import { type FormEvent, type ReactNode, type RefObject, useState } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { useRefresh } from '../../api/client/query-client.ts'
import { ProblemNote } from '../page/problem-note.tsx'
import { Modal } from './dialog.tsx'
import { toast } from './toasts.tsx'

/** Something that a person does once they have confirmed it. */
interface Deed {
  /** On its button. */
  readonly word: string
  /** Does it; undefined while there is something to be done before. */
  readonly act: () => Promise<unknown> | undefined
  /** What is said when it is done. */
  readonly done?: string
  /** What it was done to. */
  readonly doneTo?: string
  readonly isDangerous?: boolean
}

interface Props extends Deed {
  readonly title: string
  readonly description?: ReactNode
  readonly onClose: () => void
  readonly children?: ReactNode
  readonly tone?: 'good' | 'plain'
  readonly cancel?: string
  readonly isReady?: boolean
  /** The start of the key of what the deed may change; everything if left out. */
  readonly changes?: readonly string[]
  /** What else can be done here. */
  readonly other?: Deed | undefined
  /** Stands before the buttons. */
  readonly note?: ReactNode
  readonly focusFirst?: RefObject<HTMLElement | null>
  /** For what is read or written rather than answered. */
  readonly isWide?: boolean
  /** What came in the way, for anyone who can say more of it; true where it is said there. */
  readonly onProblem?: (problem: ApiProblem) => boolean
  readonly button?: RefObject<HTMLButtonElement | null>
}

/**
 * The last look before something counts. The page shows the new state before the notice says it:
 * two truths at once are none. A fault stays in the dialog, and the page is read again as well,
 * since somebody else may have been faster.
 */
export function Confirm(props: Props) {
  const { title, description, onClose, focusFirst, children, isReady = true } = props
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = useRefresh(props.changes)
  const carryOut = async ({ act, done, doneTo }: Deed) => {
    const acting = act()
    if (acting === undefined) return
    setBusy(true)
    try {
      await acting
      await refresh()
      if (done !== undefined) toast(props.tone ?? 'good', done, doneTo)
      onClose()
    } catch (fault) {
      const found = problemOf(fault)
      setProblem(props.onProblem?.(found) === true ? null : found)
      setBusy(false)
      await refresh()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void carryOut(props)
  }
  return (
    <Modal
      isOpen
      isWide={props.isWide === true}
      {...{ onClose, title, description }}
      {...(focusFirst && { focusFirst })}
    >
      <form className="stack" onSubmit={submit}>
        {children}
        {problem === null ? null : <ProblemNote problem={problem} />}
        <Actions {...props} {...{ isBusy, isReady, carryOut }} />
      </form>
    </Modal>
  )
}

function Actions(
  props: Pick<
    Props,
    'note' | 'other' | 'onClose' | 'cancel' | 'button' | 'isDangerous' | 'word'
  > & {
    readonly isBusy: boolean
    readonly isReady: boolean
    readonly carryOut: (deed: Deed) => Promise<void>
  },
) {
  const { note, other, isBusy, isReady, carryOut } = props
  return (
    <div className="actions">
      {note}
      {other === undefined ? null : (
        <button
          type="button"
          className="button danger other"
          disabled={isBusy}
          onClick={() => void carryOut(other)}
        >
          {other.word}
        </button>
      )}
      <button type="button" className="button" onClick={props.onClose}>
        {props.cancel ?? 'Cancel'}
      </button>
      <button
        type="submit"
        ref={props.button}
        className={props.isDangerous === true ? 'button danger' : 'button primary'}
        disabled={isBusy || !isReady}
      >
        {props.word}
      </button>
    </div>
  )
}
