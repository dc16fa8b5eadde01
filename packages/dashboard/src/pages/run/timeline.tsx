import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { type EntryKind, entriesOfKinds, entryKinds } from '../../model/words/entry-words.ts'
import { duration } from '../../model/words/words.ts'
import { Toggle } from '../../ui/page/toggle.tsx'
import { EntryLine } from '../../ui/values/entry-line.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Since } from '../../ui/values/when.tsx'
import { type HistoryLine, historyLines } from './history-lines.ts'
import { type StoryLine, storyLines } from './story-lines.ts'

/** The history, newest last; the list follows the run until somebody looks back. */
export function Timeline(props: {
  readonly entries: readonly PlacedEntry[]
  /** How many there are; in words where only the newest are here. */
  readonly total: number | string
  readonly kinds: readonly EntryKind[]
  readonly onKinds: (kinds: readonly EntryKind[]) => void
  readonly selected: number
  readonly isLive: boolean
  readonly onSelect: (seq: number) => void
}) {
  const { entries, total, kinds, onKinds, selected, isLive, onSelect } = props
  const [isStory, setStory] = useState(false)
  const lines = useLines(entries, kinds, isStory)
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 34,
    getItemKey: (index) => `${isStory} ${lines[index]?.first ?? index}`,
    overscan: 15,
  })
  const position = lines.findLastIndex(({ first }) => first <= selected)
  useEffect(() => {
    if (position !== -1) virtualizer.scrollToIndex(position, { align: 'auto' })
  }, [position, virtualizer])
  return (
    <section className="panel timeline" aria-label="History">
      <header>
        <h2>
          History <span className="soft number">{total}</span>
        </h2>
        <span className="row tight">
          <Toggle isOn={isStory} onClick={() => setStory(!isStory)}>
            As a story
          </Toggle>
          {isStory ? null : <KindFilter kinds={kinds} onKinds={onKinds} />}
        </span>
      </header>
      <div ref={frame} className="timeline-frame">
        <ol style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index]
            if (line === undefined) return null
            const isSelected = !isLive && index === position
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
                  onClick={() => onSelect(entries[line.first]?.seq ?? 0)}
                >
                  <Line line={line} since={entries[0]?.at ?? 0} />
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

type AnyLine = HistoryLine<PlacedEntry> | StoryLine

function useLines(
  entries: readonly PlacedEntry[],
  kinds: readonly EntryKind[],
  isStory: boolean,
): readonly AnyLine[] {
  return useMemo(
    () => (isStory ? storyLines(entries) : historyLines(entriesOfKinds(entries, kinds))),
    [entries, kinds, isStory],
  )
}

function Line({ line, since }: { readonly line: AnyLine; readonly since: number }) {
  if ('text' in line) {
    return (
      <span className="entry">
        <span className={`entry-text ${line.tone === 'bad' ? 'bad' : ''}`}>
          <Foreign text={line.text} max={600} />
        </span>
        <span className="soft small-text entry-when">
          <Since at={line.at} start={since} />
        </span>
      </span>
    )
  }
  const { entry, gist, times, tookMs, gapMs } = line
  return (
    <>
      {gapMs === null ? null : (
        <span className="soft small-text timeline-gap">{duration(gapMs)} later</span>
      )}
      <EntryLine
        entry={entry}
        since={since}
        gist={entry.type === 'call_decided' ? gist : ''}
        times={times}
        facts={tookMs === null ? '' : `took ${duration(tookMs)}`}
      />
    </>
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

function TimelineKeys() {
  return (
    <p className="soft small-text timeline-keys">
      <kbd>j</kbd> <kbd>k</kbd> step through · <kbd>Esc</kbd> back to now
    </p>
  )
}
