import type { PlacedEntry } from './recorded-run.ts'

/** What a scrubber marks above its bar. */
export type MomentKind = 'denial' | 'passed' | 'approval' | 'move'

/** What a person looks for in a history; everything else has none. */
function momentKind(entry: PlacedEntry): MomentKind | undefined {
  switch (entry.type) {
    case 'call_decided':
      if (entry.would !== undefined) return 'passed'
      return entry.decision === 'deny' ? 'denial' : undefined
    case 'refused':
      return 'denial'
    case 'approval_opened':
    case 'approval_resolved':
      return 'approval'
    case 'transitioned':
    case 'forked':
    case 'joined':
    case 'interrupted':
    case 'returned':
    case 'forced':
    case 'answered':
      return 'move'
    default:
      return undefined
  }
}

/** The next entry of a kind behind a position, from the start again where none is left. */
export function nextMoment(
  entries: readonly PlacedEntry[],
  after: number,
  kind: MomentKind,
): number | undefined {
  const isKind = (entry: PlacedEntry) => momentKind(entry) === kind
  const behind = entries.findIndex((entry, index) => index > after && isKind(entry))
  if (behind !== -1) return behind
  const first = entries.findIndex(isKind)
  return first === -1 ? undefined : first
}

export interface Tick {
  /** From 0 at the start of the bar to 1 at its end. */
  readonly at: number
  readonly kind: MomentKind
}

const strength: Readonly<Record<MomentKind, number>> = {
  move: 0,
  approval: 1,
  passed: 2,
  denial: 3,
}

/** One mark for each stretch of the bar, for long histories: what matters most in it. */
export function ticksOf(entries: readonly PlacedEntry[], stretches: number): readonly Tick[] {
  const last = Math.max(1, entries.length - 1)
  const found = new Map<number, MomentKind>()
  entries.forEach((entry, index) => {
    const kind = momentKind(entry)
    if (kind === undefined) return
    const stretch = Math.round((index / last) * stretches)
    const before = found.get(stretch)
    if (before === undefined || strength[kind] > strength[before]) found.set(stretch, kind)
  })
  return [...found].map(([stretch, kind]) => ({ at: stretch / stretches, kind }))
}

const minStepMs = 70
const maxStepMs = 1500

/** How long a moment is shown while playing: as long as it lasted, without the idle hours. */
export function stepMs(entries: readonly PlacedEntry[], index: number, speed: number): number {
  const gap = (entries[index + 1]?.at ?? 0) - (entries[index]?.at ?? 0)
  return Math.min(maxStepMs, Math.max(minStepMs, gap / speed))
}
