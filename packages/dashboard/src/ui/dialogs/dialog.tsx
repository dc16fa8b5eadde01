import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'

/** A dialog that takes the focus, gives it back, and closes with Escape. */
export function Modal(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  /** What has the focus first; else the first thing that can have it. */
  readonly focusFirst?: RefObject<HTMLElement | null>
  /** For what is read rather than answered. */
  readonly isWide?: boolean
}) {
  const { isOpen, onClose, title, description, children, focusFirst, isWide } = props
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          className={isWide === true ? 'dialog wide' : 'dialog'}
          initialFocus={focusFirst ?? true}
        >
          <Dialog.Title>{title}</Dialog.Title>
          {description === undefined ? null : (
            <Dialog.Description className="soft" render={<div />}>
              {description}
            </Dialog.Description>
          )}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
