import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { onFirstMessage, toast } from './messages.ts'

export { toast }

const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }))

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => onFirstMessage(() => setOpen(true)), [])
  return (
    <>
      {children}
      {isOpen ? (
        <Suspense fallback={null}>
          <ToastList />
        </Suspense>
      ) : null}
    </>
  )
}

/** What the browser tells a person who looks elsewhere. */
export interface Notice {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly onOpen: () => void
}

const noticeKey = 'statewright.notices'
/** More at once are one: nobody reads twenty. */
const maxNotices = 3

/** Tells of what is new since the last look, unless the person looks at the page anyway. */
export function useNotices(notices: readonly Notice[] | undefined): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (notices === undefined) return
    const before = known.current
    known.current = new Set(notices.map(({ id }) => id))
    // What was there when the page came stands on it.
    if (before === null || document.hasFocus() || !areNoticesOn()) return
    const fresh = notices.filter(({ id }) => !before.has(id))
    for (const { id, title, text, onOpen } of fresh.slice(0, maxNotices)) {
      const notice = new Notification(title, { body: text, tag: id })
      notice.onclick = () => {
        window.focus()
        onOpen()
        notice.close()
      }
    }
  }, [notices])
}

function areNoticesOn(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && isStored()
}

function isStored(): boolean {
  return localStorage.getItem(noticeKey) === 'on'
}

/** Switches notices of the browser on and off; not there where the browser has none. */
export function NoticeButton() {
  const [isOn, setOn] = useState(areNoticesOn)
  if (!('Notification' in window)) return null
  const change = async () => {
    if (isOn) {
      localStorage.removeItem(noticeKey)
      setOn(false)
      return
    }
    const permission = await Notification.requestPermission()
    if (permission !== 'granted') {
      toast('bad', 'Not allowed', 'The browser does not let this page notify you.')
      return
    }
    localStorage.setItem(noticeKey, 'on')
    setOn(true)
  }
  return (
    <button
      type="button"
      className={isOn ? 'button is-on' : 'button'}
      aria-pressed={isOn}
      onClick={() => void change()}
    >
      Notify me
    </button>
  )
}
