import { createContext, type ReactNode, useContext, useEffect } from 'react'

/** How many things wait for a person: shown in the title of every page, also of a hidden tab. */
export const WaitingCount = createContext(0)

/** The frame of a page: its title, which the browser shows as well, and its buttons. */
export function Page(props: {
  readonly title: string
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const { title, subtitle, actions, children } = props
  const waiting = useContext(WaitingCount)
  useEffect(() => {
    const mark = waiting === 0 ? '' : `(${waiting}) `
    document.title = `${mark}${title.slice(0, 80)} · Statewright`
  }, [title, waiting])
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 className="foreign">{title}</h1>
          {subtitle === undefined ? null : <div className="soft small-text">{subtitle}</div>}
        </div>
        {actions === undefined ? null : <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
