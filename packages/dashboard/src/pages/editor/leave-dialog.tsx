import { useBlocker } from '@tanstack/react-router'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import type { OpenDocument } from './use-document.ts'

/** Asks before unsaved changes go out of sight. */
export function LeaveDialog({ file }: { readonly file: OpenDocument }) {
  const { isChanged } = file
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal
      isOpen
      onClose={blocker.reset}
      title="Leave with unsaved changes?"
      description="This browser keeps them: they are here when you open the definition again."
    >
      <div className="actions">
        <button
          type="button"
          className="button danger"
          onClick={() => {
            file.discard()
            blocker.proceed()
          }}
        >
          Discard them
        </button>
        <button type="button" className="button" onClick={blocker.proceed}>
          Leave and keep them
        </button>
        <button type="button" className="button primary" onClick={blocker.reset}>
          Stay
        </button>
      </div>
    </Modal>
  )
}
