import type { RunLine, StuckRun } from '@statewright/core/wire'
import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useHotkeys } from '../../ui/page/hotkeys.ts'
import { useMedia } from '../../ui/page/use-media.ts'
import { RunRow } from './run-line.tsx'

const wideRow = 42
const narrowRow = 66

/** Only the rows on screen exist, so that ten thousand scroll like ten. */
export function RunList(props: {
  readonly runs: readonly RunLine[]
  readonly stuck: ReadonlyMap<string, StuckRun>
  readonly onNearEnd: () => void
}) {
  const { runs, stuck, onNearEnd } = props
  const frame = useRef<HTMLDivElement>(null)
  const rowHeight = useMedia('(max-width: 900px)') ? narrowRow : wideRow
  const [at, setAt] = useState(-1)
  const navigate = useNavigate()
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => runs[index]?.run_id ?? index,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= runs.length - 50) onNearEnd()
  }, [last, runs.length, onNearEnd])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height, measured anew.
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])

  const step = (by: number) => {
    const next = Math.min(runs.length - 1, Math.max(0, at + by))
    setAt(next)
    virtualizer.scrollToIndex(next)
  }
  const open = (runId: string | undefined) => {
    if (runId !== undefined) void navigate({ to: '/runs/$runId', params: { runId } })
  }
  const follow = (event: MouseEvent<HTMLElement>) => {
    // With a key held, the browser opens a tab or a window as for any other link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const line = event.target instanceof Element ? event.target.closest('[data-run]') : null
    if (!(line instanceof HTMLElement)) return
    event.preventDefault()
    open(line.dataset.run)
  }
  useHotkeys({ j: () => step(1), k: () => step(-1), Enter: () => open(runs[at]?.run_id) })

  return (
    <div className="panel run-list">
      <div ref={frame} className="run-frame">
        <div className="run-line run-head small-text soft" aria-hidden="true">
          <span>Status</span>
          <span>Workflow</span>
          <span>State</span>
          <span>Client</span>
          <span className="right">Calls</span>
          <span className="right">Denials</span>
          <span className="right">Cost</span>
          <span className="right">Changed</span>
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link clicks it. */}
        <ul onClick={follow} style={{ height: virtualizer.getTotalSize() }} aria-label="Runs">
          {items.map(({ index, key, start, size }) => {
            const run = runs[index]
            return run === undefined ? null : (
              <li
                key={key}
                style={{ transform: `translateY(${start}px)`, height: size }}
                aria-setsize={runs.length}
                aria-posinset={index + 1}
              >
                <RunRow run={run} stuck={stuck.get(run.run_id)} isChosen={index === at} />
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}
