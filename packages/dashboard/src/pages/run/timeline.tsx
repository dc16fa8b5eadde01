import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { type EntryKind, entriesOfKinds, entryKinds } from '../../model/entry-words.ts'
import type { PlacedEntry } from '../../model/recorded-run.ts'
import { EntryLine } from '../../ui/entry-line.tsx'

/** The history, newest last; the list follows the run until somebody looks back. */
export function Timeline(props: {
  readonly entries: readonly PlacedEntry[]
  /** False where only the newest entries are here. */
  readonly isWhole: boolean
  readonly kinds: readonly EntryKind[]
  readonly onKinds: (kinds: readonly EntryKind[]) => void
  readonly selected: number
  readonly isLive: boolean
  readonly onSelect: (seq: number) => void
}) {
  const { entries, isWhole, kinds, onKinds, selected, isLive, onSelect } = props
  const shown = entriesOfKinds(entries, kinds)
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 34,
    getItemKey: (index) => shown[index]?.entry.seq ?? index,
    overscan: 15,
  })
  const position = shown.findIndex(({ index }) => index === selected)
  useEffect(() => {
    if (position !== -1) virtualizer.scrollToIndex(position, { align: 'auto' })
  }, [position, virtualizer])
  return (
    <section className="panel timeline" aria-label="History">
      <header>
        <h2>
          History{' '}
          <span className="soft number">{isWhole ? entries.length : tailWords(entries)}</span>
        </h2>
        <KindFilter kinds={kinds} onKinds={onKinds} />
      </header>
      <div ref={frame} className="timeline-frame">
        <ol style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const line = shown[index]
            if (line === undefined) return null
            const isSelected = !isLive && line.index === selected
            return (
              <li
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  aria-pressed={isSelected}
                  className={isSelected ? 'timeline-line is-chosen' : 'timeline-line'}
                  onClick={() => onSelect(line.entry.seq)}
                >
                  <EntryLine entry={line.entry} since={entries[0]?.at} />
                </button>
              </li>
            )
          })}
        </ol>
      </div>
      <TimelineKeys />
    </section>
  )
}

function KindFilter(props: {
  readonly kinds: readonly EntryKind[]
  readonly onKinds: (kinds: readonly EntryKind[]) => void
}) {
  const { kinds, onKinds } = props
  const toggle = (kind: EntryKind) =>
    onKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind])
  return (
    <span className="row tight">
      {entryKinds.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kinds.includes(kind)}
          className={kinds.includes(kind) ? 'button small is-on' : 'button small quiet'}
          onClick={() => toggle(kind)}
        >
          {kind}
        </button>
      ))}
    </span>
  )
}

function tailWords(entries: readonly PlacedEntry[]): string {
  return `newest ${entries.length} of ${entries.at(-1)?.seq ?? 0}; the export has all`
}

function TimelineKeys() {
  return (
    <p className="soft small-text timeline-keys">
      <kbd>j</kbd> <kbd>k</kbd> step through · <kbd>Esc</kbd> back to now
    </p>
  )
}
