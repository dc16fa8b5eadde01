import type { RunView } from '@statewright/core/internal'
import { bytes } from '../../model/words.ts'

/** What the state has used and has left. */
export function Limits({ limits }: { readonly limits: RunView['limits'] }) {
  return (
    <section className="panel">
      <header>
        <h2>Limits of the state</h2>
      </header>
      <div className="body stack">
        <Limit name="Calls" used={limits.iteration} max={limits.max_iterations} />
        <Limit name="Files changed" used={limits.files} max={limits.max_files_per_state} />
        <Limit
          name="Bytes read"
          used={limits.bytes}
          max={limits.context_budget_bytes}
          show={bytes}
        />
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
  readonly max: number | null
  readonly show?: (value: number) => string
}) {
  const { name, used, max, show = String } = props
  if (max === null) {
    return (
      <div className="row spread small-text">
        <span>{name}</span>
        <span className="soft number">{show(used)}, no limit</span>
      </div>
    )
  }
  const share = max === 0 ? 1 : Math.min(1, used / max)
  const tone = share >= 1 ? 'meter full' : share > 0.75 ? 'meter near' : 'meter'
  return (
    <div className="stack limit">
      <div className="row spread small-text">
        <span>{name}</span>
        <span className="number">
          {show(used)} of {show(max)}, {show(Math.max(0, max - used))} left
        </span>
      </div>
      <div className={tone}>
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
