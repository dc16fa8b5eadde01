import type { AgentUpdate } from '@statewright/core/internal'

export type LaneName = 'model' | 'tools' | 'hooks'
export type LaneTone = 'plain' | 'good' | 'bad' | 'wait'

/** One stretch of work: a request to the model, a tool run or a hook run. */
export interface Bar {
  readonly id: string
  readonly lane: LaneName
  readonly name: string
  readonly from: number
  /** Nothing while it goes on. */
  readonly to: number | null
  readonly tone: LaneTone
  readonly status: string
}

export interface Lanes {
  readonly bars: readonly Bar[]
  /** When the newest event happened, by the clock of the server. */
  readonly lastAt: number
}

export const noLanes: Lanes = { bars: [], lastAt: 0 }

/** Older work is not drawn any more: a page is not an archive. */
export const maxBars = 300

/** What worked when, from the same events as the conversation. */
export function foldLanes(lanes: Lanes, update: AgentUpdate): Lanes {
  const { event } = update
  const lastAt = Math.max(lanes.lastAt, event.timestampMs)
  if (update.channel !== 'agent:state_event') return { ...lanes, lastAt }
  const bars = barsAfter(lanes.bars, update.event)
  return { bars: bars.length > maxBars ? bars.slice(-maxBars) : bars, lastAt }
}

type StateEvent = Extract<AgentUpdate, { channel: 'agent:state_event' }>['event']

function barsAfter(bars: readonly Bar[], event: StateEvent): readonly Bar[] {
  switch (event.type) {
    case 'state_changed': {
      const { from, to, timestampMs, streamId = 'turn', eventId } = event
      // A request that begins ends the one before: there is only one at a time.
      const ended = from === 'calling_llm' ? endModel(bars, timestampMs, to === 'error') : bars
      if (to !== 'calling_llm') return ended
      const bar = { id: `${streamId} ${eventId}`, lane: 'model', name: 'model' } as const
      return [...ended, { ...bar, from: timestampMs, to: null, tone: 'plain', status: 'asked' }]
    }
    case 'tool_lifecycle': {
      const { runId, toolName, status, isError } = event
      return put(bars, {
        ...times(event),
        id: runId,
        lane: 'tools',
        name: toolName,
        tone: isError === true ? 'wait' : toneOf(status),
        status: isError === true && event.error !== undefined ? `denied: ${event.error}` : status,
      })
    }
    case 'hook_lifecycle': {
      const { runId, hookName, status } = event
      const bar = { id: runId, lane: 'hooks', name: hookName, tone: toneOf(status) } as const
      return put(bars, { ...times(event), ...bar, status })
    }
    case 'input_queued':
    case 'compacted':
    case 'session_error':
      return bars
  }
}

function endModel(bars: readonly Bar[], at: number, isBroken: boolean): readonly Bar[] {
  return bars.map((bar) =>
    bar.lane === 'model' && bar.to === null
      ? {
          ...bar,
          to: at,
          tone: isBroken ? 'bad' : 'good',
          status: isBroken ? 'failed' : 'answered',
        }
      : bar,
  )
}

function put(bars: readonly Bar[], bar: Bar): readonly Bar[] {
  const at = bars.findLastIndex(({ id }) => id === bar.id)
  return at === -1 ? [...bars, bar] : bars.with(at, bar)
}

function times(run: { readonly startedAtMs: number; readonly finishedAtMs?: number | undefined }) {
  return { from: run.startedAtMs, to: run.finishedAtMs ?? null }
}

function toneOf(status: string): LaneTone {
  if (status === 'succeeded') return 'good'
  if (status === 'failed') return 'bad'
  return status === 'canceled' ? 'wait' : 'plain'
}

export interface PlacedBar extends Bar {
  /** Share of the width, 0 to 1. */
  readonly left: number
  readonly width: number
  /** Tools run side by side: each at the first height that is free. */
  readonly row: number
}

export interface PlacedLane {
  readonly lane: LaneName
  readonly rows: number
  readonly bars: readonly PlacedBar[]
}

export interface Drawing {
  readonly from: number
  readonly to: number
  readonly lanes: readonly PlacedLane[]
}

/** Pauses longer than this are drawn shorter, so that a night does not hide the work around it. */
const longestPauseMs = 3000
const leastShare = 0.004

/** Where each bar stands. Time in which nothing works, such as a person thinking, is cut short. */
export function drawLanes({ bars, lastAt }: Lanes): Drawing {
  const at = squeeze(bars, lastAt)
  const from = at(Math.min(lastAt, ...bars.map((bar) => bar.from)))
  const to = Math.max(from + 1, at(lastAt))
  const placed = (lane: LaneName): PlacedLane => {
    const rowEnds: number[] = []
    const done = bars
      .filter((bar) => bar.lane === lane)
      .map((bar): PlacedBar => {
        const left = (at(bar.from) - from) / (to - from)
        const end = (at(bar.to ?? lastAt) - from) / (to - from)
        const width = Math.max(leastShare, end - left)
        const free = rowEnds.findIndex((rowEnd) => rowEnd <= left + 1e-9)
        const row = free === -1 ? rowEnds.length : free
        rowEnds[row] = left + width
        return { ...bar, left: Math.min(left, 1 - leastShare), width: Math.min(width, 1), row }
      })
    return { lane, rows: Math.max(1, rowEnds.length), bars: done }
  }
  return { from, to, lanes: [placed('model'), placed('tools'), placed('hooks')] }
}

/** Maps times to times without the long pauses. */
function squeeze(bars: readonly Bar[], lastAt: number): (time: number) => number {
  const sorted = bars.toSorted((one, other) => one.from - other.from)
  const cuts: { readonly after: number; readonly by: number }[] = []
  let busyUntil = sorted[0]?.from ?? lastAt
  for (const bar of sorted) {
    const pause = bar.from - busyUntil
    if (pause > longestPauseMs) cuts.push({ after: bar.from, by: pause - longestPauseMs })
    busyUntil = Math.max(busyUntil, bar.to ?? lastAt)
  }
  const rest = lastAt - busyUntil
  if (rest > longestPauseMs) cuts.push({ after: lastAt, by: rest - longestPauseMs })
  return (time) => cuts.reduce((sum, { after, by }) => (time >= after ? sum - by : sum), time)
}
