import { useEffect, useRef, useState } from 'react'
import { drawLanes, type Lanes, type PlacedLane } from '../../model/sessions/session-lanes.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count, duration } from '../../model/words/words.ts'

const words = { model: 'Model', tools: 'Tools', hooks: 'Hooks' } as const
const rowHeight = 14

/** Who worked when: model, tools and hooks, each in a lane of its own. */
export function LaneChart({ lanes }: { readonly lanes: Lanes }) {
  const lastAt = useRunningClock(lanes)
  if (lanes.bars.length === 0) return null
  const drawing = drawLanes({ ...lanes, lastAt })
  return (
    <section className="panel lanes" aria-label="Work over time">
      <div className="lane-drawing" aria-hidden="true">
        {drawing.lanes.map((lane) =>
          lane.bars.length === 0 ? null : <Lane key={lane.lane} lane={lane} />,
        )}
        <p className="soft small-text lane-note">
          Active for {duration(drawing.to - drawing.from)}, idle time left out
        </p>
      </div>
      <details className="small-text">
        <summary>As a table ({count(lanes.bars.length, 'piece')} of work)</summary>
        <Table lanes={lanes} />
      </details>
    </section>
  )
}

/** While something works, time goes on, also when nothing is reported of it. */
function useRunningClock(lanes: Lanes): number {
  const [now, setNow] = useState(0)
  const newest = useRef({ lanes, at: 0 })
  if (newest.current.lanes !== lanes) newest.current = { lanes, at: performance.now() }
  const isWorking = lanes.bars.some(({ to }) => to === null)
  useEffect(() => {
    if (!isWorking) return
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [isWorking])
  return isWorking ? lanes.lastAt + Math.max(0, now - newest.current.at) : lanes.lastAt
}

function Lane({ lane: { lane, rows, bars } }: { readonly lane: PlacedLane }) {
  return (
    <div className="lane">
      <span className="soft small-text">{words[lane]}</span>
      <div className="lane-track" style={{ height: Math.min(rows, 4) * rowHeight }}>
        {bars.map((bar) => (
          <span
            key={bar.id}
            className={`lane-bar ${bar.lane} ${bar.tone} ${bar.to === null ? 'is-open' : ''}`}
            title={`${plainText(bar.name, 80)}: ${plainText(bar.status, 80)}, ${lasted(bar)}`}
            style={{
              left: `${bar.left * 100}%`,
              width: `${bar.width * 100}%`,
              top: (bar.row % 4) * rowHeight,
            }}
          />
        ))}
      </div>
    </div>
  )
}

const tableRows = 100

function Table({ lanes: { bars } }: { readonly lanes: Lanes }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x lane-table" tabIndex={0} aria-label="Pieces of work">
      <table className="table">
        <thead>
          <tr>
            <th>Lane</th>
            <th>What</th>
            <th>Began</th>
            <th>Took</th>
            <th>Outcome</th>
          </tr>
        </thead>
        <tbody>
          {bars.slice(-tableRows).map((bar) => (
            <tr key={bar.id}>
              <td>{words[bar.lane]}</td>
              <td className="foreign">{plainText(bar.name, 80)}</td>
              <td className="number">{new Date(bar.from).toLocaleTimeString()}</td>
              <td className="number">{lasted(bar)}</td>
              <td className="foreign">{plainText(bar.status, 80)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function lasted({ from, to }: { readonly from: number; readonly to: number | null }): string {
  return to === null ? 'still running' : `${Math.max(0, to - from).toLocaleString('en')} ms`
}
