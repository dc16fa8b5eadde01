import type { Activity } from '@statewright/core/wire'
import { plainText } from './plain-text.ts'
import { count } from './words.ts'

/** How long something took, in the unit that people would use. */
export function tookWords(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  return `${(ms / 3_600_000).toFixed(1)} h`
}

export interface ActivitySums {
  readonly calls: number
  readonly denied: number
  readonly transitions: number
  readonly refused: number
  readonly costUsd: number
}

export function sumsOf({ slots }: Activity): ActivitySums {
  const sums = { calls: 0, denied: 0, transitions: 0, refused: 0, costUsd: 0 }
  for (const slot of slots) {
    sums.calls += slot.allowed + slot.asked + slot.denied
    sums.denied += slot.denied
    sums.transitions += slot.transitioned
    sums.refused += slot.refused
    sums.costUsd += slot.cost_usd
  }
  return sums
}

/** The answer to "where do agents get stuck", in one sentence. */
export function stuckSentence(activity: Activity): string {
  const { denials } = activity
  const [state] = denials.places
  const [tool] = denials.tools
  if (state === undefined || tool === undefined) {
    return sumsOf(activity).calls === 0
      ? 'No agent made a call in this period.'
      : 'No call was denied in this period: no agent is stuck.'
  }
  const { calls, denied } = sumsOf(activity)
  const share = calls === 0 ? 0 : Math.round((denied / calls) * 100)
  const where = `the state ${plainText(state.state, 60)} of ${plainText(state.workflow, 60)}`
  const what = `${plainText(tool.tool, 60)} (${tool.code})`
  const times = count(state.count, 'denial')
  return [
    `${share}% of calls were denied.`,
    `Most of these are in ${where} (${times}); the most frequent one is ${what}.`,
  ].join(' ')
}

/** A slot on the axis and in the table. */
export function slotWords(
  at: number,
  slotMs: number,
  zone: 'utc' | 'local' = 'utc',
): { short: string; long: string } {
  const date = new Date(at)
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  // Slots of days begin in UTC, as on the server.
  const utcDay = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  return slotMs < 24 * 3_600_000
    ? { short: time, long: `${day} ${time}` }
    : zone === 'utc'
      ? { short: utcDay, long: utcDay }
      : { short: day, long: day }
}

/**
 * What stands on the axis under a slot, if anything: days where there are some, else hours. Text
 * under every slot would be too dense.
 */
export function axisTick(slots: readonly number[], index: number, slotMs: number): string | null {
  const at = slots[index] ?? 0
  const before = slots[index - 1]
  const isDays = slots.length * slotMs > 26 * 3_600_000
  if (isDays && slotMs < 24 * 3_600_000) {
    const day = new Date(at).getDate()
    const isNew = before !== undefined && new Date(before).getDate() !== day
    return isNew ? slotWords(at, 24 * 3_600_000, 'local').short : null
  }
  return index % Math.ceil(slots.length / 6) === 0 ? slotWords(at, slotMs).short : null
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const tops = [1, 2, 10, 20, 60].map((many) => many * second)
const minuteTops = [2, 4, 10, 20, 60].map((many) => many * minute)
const hourTops = [2, 4, 12, 24, 48, 96, 240].map((many) => many * hour)

/** The next time whose half is one that people would say as well. */
export function niceTimeCeil(ms: number): number {
  return [...tops, ...minuteTops, ...hourTops].find((top) => top >= ms) ?? niceCeil(ms)
}

/** The next number that people like on an axis: 1, 2 or 5 with zeros. */
export function niceCeil(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const scaled = value / power
  const nice = scaled <= 1 ? 1 : scaled <= 2 ? 2 : scaled <= 5 ? 5 : 10
  return nice * power
}
