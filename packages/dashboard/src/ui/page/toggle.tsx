import type { ReactNode } from 'react'

/** A button that is on or off: a filter, or one of several choices. */
export function Toggle(props: {
  readonly isOn: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}) {
  const { isOn, onClick, children } = props
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={isOn ? 'button small is-on' : 'button small'}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
