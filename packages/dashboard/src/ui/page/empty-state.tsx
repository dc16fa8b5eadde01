import type { ReactNode } from 'react'
import { CommandLine } from './command-line.tsx'

/** An empty view says how to fill it, with the exact command. */
export function EmptyState(props: {
  readonly title: string
  readonly children: ReactNode
  readonly command?: string
  readonly action?: ReactNode
}) {
  const { title, children, command, action } = props
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command === undefined ? null : <CommandLine text={command} />}
      {action}
    </div>
  )
}
