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
export function slotWords(at: number, slotMs: number): { short: string; long: string } {
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
    : { short: utcDay, long: utcDay }
}

/** The next number that people like on an axis: 1, 2 or 5 with zeros. */
export function niceCeil(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const scaled = value / power
  const nice = scaled <= 1 ? 1 : scaled <= 2 ? 2 : scaled <= 5 ? 5 : 10
  return nice * power
}
