import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { type Message, showMessages } from './messages.ts'

const manager = Toast.createToastManager()

function show({ tone, title, description }: Message): void {
  manager.add({ type: tone, title, description, timeout: tone === 'bad' ? 10_000 : 5000 })
}

/** Loaded with the first thing that is said: until then no page needs it. */
export function ToastList() {
  // After the effects of what is inside, which listens by then.
  useEffect(() => showMessages(show), [])
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((one) => (
    <Toast.Root key={one.id} toast={one} className="toast" data-type={one.type}>
      <div className="row spread">
        <Toast.Title render={<strong />} />
        <Toast.Close className="button small quiet" aria-label="Dismiss">
          <X aria-hidden="true" className="icon" />
        </Toast.Close>
      </div>
      <Toast.Description className="soft small-text" />
    </Toast.Root>
  ))
}
