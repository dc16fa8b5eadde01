import type { ReactNode } from 'react'
import './charts.css'

export interface Ranked {
  readonly key: string
  readonly name: ReactNode
  readonly value: number
  readonly detail?: ReactNode
}

/** The largest first, each with a bar: a list that is its own table. */
export function RankList(props: {
  readonly label: string
  readonly items: readonly Ranked[]
  readonly tone?: 'bad' | 'accent'
  readonly show?: (value: number) => string
}) {
  const { label, items, tone = 'bad', show = String } = props
  const max = Math.max(1, ...items.map(({ value }) => value))
  if (items.length === 0) return <p className="soft small-text">Nothing in this period.</p>
  return (
    <ol className="rank" aria-label={label}>
      {items.map(({ key, name, value, detail }) => (
        <li key={key}>
          <span className="foreign">
            {name}
            {detail === undefined ? null : <span className="soft small-text"> {detail}</span>}
          </span>
          <span className="number">{show(value)}</span>
          <span className="rank-bar" aria-hidden="true">
            <span className={tone} style={{ width: `${(value / max) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  )
}
