import type { RunView } from '@statewright/core/internal'
import { bytes } from '../../model/words/words.ts'
import { Meter } from '../../ui/charts/meter.tsx'

/** What the state has used and has left. */
export function Limits({ limits }: { readonly limits: RunView['limits'] }) {
  const known = [
    { name: 'Calls', used: limits.iteration, max: limits.max_iterations, show: String },
    { name: 'Files changed', used: limits.files, max: limits.max_files_per_state, show: String },
    { name: 'Bytes read', used: limits.bytes, max: limits.context_budget_bytes, show: bytes },
  ].flatMap(({ max, ...one }) => (max === null ? [] : [{ ...one, max }]))
  // A state without limits needs no card that says so three times.
  if (known.length === 0 && limits.max_edit_lines === null) return null
  return (
    <section className="panel">
      <header>
        <h2>Limits of the state</h2>
      </header>
      <div className="body stack">
        {known.map((one) => (
          <Limit key={one.name} {...one} />
        ))}
        {limits.max_edit_lines === null ? null : (
          <p className="soft small-text">One edit may change {limits.max_edit_lines} lines.</p>
        )}
      </div>
    </section>
  )
}

function Limit(props: {
  readonly name: string
  readonly used: number
  readonly max: number
  readonly show: (value: number) => string
}) {
  const { name, used, max, show } = props
  return (
    <div className="stack limit">
      <div className="row spread small-text">
        <span>{name}</span>
        <span className="number">
          {show(used)} of {show(max)}, {show(Math.max(0, max - used))} left
        </span>
      </div>
      <Meter used={used} max={max} isFull={used >= max} />
    </div>
  )
}
