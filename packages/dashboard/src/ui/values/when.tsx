import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { ago, left, sinceStart } from '../../model/words/words.ts'

const Now = createContext(0)

/** One clock for all times on the page, so that they change together and cost one timer. */
export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  return <Now.Provider value={now}>{children}</Now.Provider>
}

export function Ago({ at }: { readonly at: number }) {
  const now = useContext(Now)
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {ago(at, now)}
    </time>
  )
}

/** How long after the start; a list of "33 min ago" tells nothing of what happened when. */
export function Since({ at, start }: { readonly at: number; readonly start: number }) {
  const date = new Date(at)
  return (
    <time className="number" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {sinceStart(at - start)}
    </time>
  )
}

export function Left({ until }: { readonly until: number }) {
  const now = useContext(Now)
  const date = new Date(until)
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {left(until, now)}
    </time>
  )
}
