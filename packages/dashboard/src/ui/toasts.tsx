import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'

const manager = Toast.createToastManager()

/** Says briefly what happened. A fault that asks for something to be done stays on its page. */
export function toast(tone: 'good' | 'bad' | 'plain', title: string, description = ''): void {
  manager.add({ type: tone, title, description, timeout: tone === 'bad' ? 10_000 : 5000 })
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((one) => (
    <Toast.Root key={one.id} toast={one} className="toast" data-type={one.type}>
      <div className="row spread">
        <Toast.Title render={<strong />} />
        <Toast.Close className="button small quiet" aria-label="Dismiss">
          ✕
        </Toast.Close>
      </div>
      <Toast.Description className="soft small-text" />
    </Toast.Root>
  ))
}
