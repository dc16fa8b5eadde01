import type { ReactNode } from 'react'
import { Foreign } from './foreign-text.tsx'
import { Ago } from './when.tsx'

export interface VersionLine {
  readonly version: number
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly mark?: ReactNode
}

/** Versions by person and time, two of which are chosen to be compared. */
export function VersionList(props: {
  readonly versions: readonly VersionLine[]
  readonly from: number
  readonly to: number
  readonly onChoose: (chosen: { from: number; to: number }) => void
}) {
  const { versions, from, to, onChoose } = props
  return (
    <section className="panel" aria-label="Versions">
      <header>
        <h2>Versions</h2>
        <span className="soft small-text">compare · with</span>
      </header>
      <ol>
        {versions.map(({ version, by, at, mark }) => (
          <li key={version} className="version-line">
            <input
              type="radio"
              name="from"
              aria-label={`Compare version ${version}`}
              checked={from === version}
              onChange={() => onChoose({ from: version, to })}
            />
            <input
              type="radio"
              name="to"
              aria-label={`With version ${version}`}
              checked={to === version}
              onChange={() => onChoose({ from, to: version })}
            />
            <span>
              <strong className="number">{version}</strong> {mark}
              <span className="soft small-text">
                {' '}
                by <Foreign text={by} max={40} />
              </span>
            </span>
            <span className="soft small-text">
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
