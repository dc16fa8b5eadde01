import {
  ChevronLeft,
  ChevronRight,
  Link2,
  Pause,
  Play,
  ShieldAlert,
  ShieldX,
  UserRoundCheck,
} from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { type MomentKind, nextMoment, stepMs, ticksOf } from '../../model/history/moments.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { sinceStart } from '../../model/words/words.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import './scrubber.css'

const speeds = [1, 4, 20] as const
const stretches = 240

/** All moments of a run on one bar: step, play, and go to what went wrong. */
export function Scrubber(props: {
  readonly entries: readonly PlacedEntry[]
  readonly index: number
  readonly isLive: boolean
  readonly onIndex: (index: number | undefined) => void
  /** Where a moment has an address of its own. */
  readonly hasLink: boolean
}) {
  const { entries, index, isLive, onIndex, hasLink } = props
  const [speed, setSpeed] = useState<number>(speeds[1])
  const player = usePlayer(entries, index, speed, onIndex)
  const ticks = useMemo(() => ticksOf(entries, stretches), [entries])
  const last = entries.length - 1
  const entry = entries[index]
  const go = (to: number) => {
    player.stop()
    onIndex(Math.min(last, Math.max(0, to)))
  }
  const words = entry === undefined ? '' : momentWords(entries, entry)
  return (
    <section className="scrubber" aria-label="Moments">
      <div className="scrubber-bar">
        <Ticks ticks={ticks} />
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={words}
          min={0}
          max={Math.max(0, last)}
          value={index}
          onChange={(event) => go(Number(event.target.value))}
        />
      </div>
      <div className="row tight spread">
        <Controls {...{ entries, index, go, player, speed, setSpeed }} />
        <span className="row tight soft small-text number">
          <span title={entry === undefined ? '' : new Date(entry.at).toLocaleString()}>
            {isLive ? 'now · ' : ''}
            {words}
          </span>
          {hasLink ? <CopyLink seq={entry?.seq} /> : null}
        </span>
      </div>
    </section>
  )
}

function momentWords(entries: readonly PlacedEntry[], { seq, at }: PlacedEntry): string {
  const since = sinceStart(at - (entries[0]?.at ?? 0))
  return `entry ${seq} of ${entries.at(-1)?.seq ?? 0} · ${since}`
}

function Controls(props: {
  readonly entries: readonly PlacedEntry[]
  readonly index: number
  readonly go: (index: number) => void
  readonly player: ReturnType<typeof usePlayer>
  readonly speed: number
  readonly setSpeed: (speed: number) => void
}) {
  const { entries, index, go, player, speed, setSpeed } = props
  const last = entries.length - 1
  return (
    <span className="row tight">
      <Button name="Previous entry" onClick={() => go(index - 1)} isOff={index <= 0}>
        <ChevronLeft aria-hidden="true" className="icon" />
      </Button>
      <Button
        name={player.isPlaying ? 'Pause' : 'Play'}
        onClick={() => (player.isPlaying ? player.stop() : player.start())}
      >
        {player.isPlaying ? (
          <Pause aria-hidden="true" className="icon" />
        ) : (
          <Play aria-hidden="true" className="icon" />
        )}
      </Button>
      <Button name="Next entry" onClick={() => go(index + 1)} isOff={index >= last}>
        <ChevronRight aria-hidden="true" className="icon" />
      </Button>
      <select
        className="scrubber-speed"
        aria-label="Speed"
        value={speed}
        onChange={(event) => setSpeed(Number(event.target.value))}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <Jump kind="denial" {...{ entries, index, go }}>
        <ShieldX aria-hidden="true" className="icon" /> Next denial
      </Jump>
      <Jump kind="passed" {...{ entries, index, go }}>
        <ShieldAlert aria-hidden="true" className="icon" /> Next passed call
      </Jump>
      <Jump kind="approval" {...{ entries, index, go }}>
        <UserRoundCheck aria-hidden="true" className="icon" /> Next approval
      </Jump>
    </span>
  )
}

function Ticks({ ticks }: { readonly ticks: ReturnType<typeof ticksOf> }) {
  return (
    <svg className="scrubber-ticks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden>
      {ticks.map(({ at, kind }) => (
        <rect
          key={at}
          className={kind}
          x={at * 997}
          y={kind === 'move' ? 4 : 0}
          width="3"
          height="10"
        />
      ))}
    </svg>
  )
}

function Jump(props: {
  readonly kind: MomentKind
  readonly entries: readonly PlacedEntry[]
  readonly index: number
  readonly go: (index: number) => void
  readonly children: React.ReactNode
}) {
  const { kind, entries, index, go, children } = props
  const next = nextMoment(entries, index, kind)
  if (next === undefined) return null
  return (
    <button type="button" className="button small quiet" onClick={() => go(next)}>
      {children}
    </button>
  )
}

function CopyLink({ seq }: { readonly seq: number | undefined }) {
  if (seq === undefined) return null
  const copy = () => {
    const address = new URL(location.href)
    address.searchParams.set('at', String(seq))
    void navigator.clipboard.writeText(address.href).then(
      () => toast('plain', 'Link to this moment copied'),
      () => toast('plain', address.href),
    )
  }
  return (
    <Button name="Copy a link to this moment" onClick={copy}>
      <Link2 aria-hidden="true" className="icon" />
    </Button>
  )
}

function Button(props: {
  readonly name: string
  readonly onClick: () => void
  readonly isOff?: boolean
  readonly children: React.ReactNode
}) {
  const { name, onClick, isOff = false, children } = props
  return (
    <button
      type="button"
      className="button small quiet"
      aria-label={name}
      title={name}
      disabled={isOff}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/** Shows one moment after the other, and ends where the run stands now. */
function usePlayer(
  entries: readonly PlacedEntry[],
  index: number,
  speed: number,
  onIndex: (index: number | undefined) => void,
) {
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    if (!isPlaying) return undefined
    const isLast = index >= entries.length - 1
    const timer = setTimeout(
      () => {
        if (isLast) setPlaying(false)
        onIndex(isLast ? undefined : index + 1)
      },
      isLast ? 0 : stepMs(entries, index, speed),
    )
    return () => clearTimeout(timer)
  }, [isPlaying, entries, index, speed, onIndex])
  return {
    isPlaying,
    stop: () => setPlaying(false),
    start: () => {
      // From the beginning, where nothing is left to play.
      if (index >= entries.length - 1) onIndex(0)
      setPlaying(true)
    },
  }
}
