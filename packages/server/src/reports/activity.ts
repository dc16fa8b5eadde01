import type { Runtime } from '../runtime/runtime.ts'
import type {
  ActivityKind,
  ApprovalRow,
  DenialRow,
  HourOfSpend,
  TimeWindow,
} from '../store/store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Up to this much time is shown by the hour, more by the day. */
const hourlyMs = 72 * hourMs
const maxDenials = 5000
const maxApprovals = 5000
const maxRanked = 10
/** Pictures of machines show them all, and a machine has few states. */
const maxStates = 200

/** What happened in a stretch of time, as charts want it: every slot, also the empty ones. */
export async function readActivity(runtime: Runtime, window: TimeWindow) {
  const { activity, spend } = runtime.store
  const slotMs = window.to - window.from <= hourlyMs ? hourMs : dayMs
  const [counts, denials, approvals, spent] = await Promise.all([
    activity.counts({ ...window, slotMs }),
    activity.denials({ ...window, limit: maxDenials }),
    activity.approvals({ ...window, limit: maxApprovals }),
    spend.byHour(window),
  ])
  const slots = new Map(startsIn(window, slotMs).map((at) => [at, emptySlot(at)]))
  for (const { at, kind, count } of counts) {
    const slot = slots.get(at)
    if (slot !== undefined) slot[kind] += count
  }
  addSpend(slots, slotMs, spent)
  for (const [at, waits] of waitsBySlot(approvals, slotMs)) {
    const slot = slots.get(at)
    if (slot !== undefined) slot.approval_wait_ms = middle(waits)
  }
  return {
    ...window,
    slot_ms: slotMs,
    slots: [...slots.values()],
    denials: rankings(denials),
    approvals: latency(approvals),
  }
}

interface ActivitySlot extends Record<ActivityKind, number> {
  readonly at: number
  cost_usd: number
  /** Median time until a person answered; null when nobody did. */
  approval_wait_ms: number | null
}

function emptySlot(at: number): ActivitySlot {
  const none = { allowed: 0, passed: 0, asked: 0, denied: 0, transitioned: 0, refused: 0 }
  return { at, ...none, cost_usd: 0, approval_wait_ms: null }
}

function startsIn({ from, to }: TimeWindow, slotMs: number): number[] {
  const first = from - (from % slotMs)
  return Array.from({ length: Math.ceil((to - first) / slotMs) }, (_, n) => first + n * slotMs)
}

function addSpend(
  slots: ReadonlyMap<number, ActivitySlot>,
  slotMs: number,
  spent: readonly HourOfSpend[],
): void {
  for (const { at, costMicros } of spent) {
    const slot = slots.get(at - (at % slotMs))
    if (slot !== undefined) slot.cost_usd += costMicros / 1_000_000
  }
}

interface Denial {
  readonly runId: string
  readonly workflow: string
  readonly state: string | null
  readonly tool: string
  readonly code: string
  readonly rule: string
}

type Placed = Denial & { readonly state: string }

function denialOf({ runId, workflow, entry }: DenialRow): Denial[] {
  if (entry.type === 'call_decided') {
    const { tool, state, code = 'denied', reasons } = entry
    const rule = reasons.find((reason) => reason.code === code) ?? reasons[0]
    return [{ runId, workflow, state, tool, code, rule: rule?.path ?? '' }]
  }
  if (entry.type !== 'refused') return []
  const { code, event, what } = entry
  return [{ runId, workflow, state: null, tool: event ?? what, code, rule: '' }]
}

/** Where agents get stuck: the same denials, put together in several ways. */
function rankings(rows: readonly DenialRow[]) {
  const denials = rows.flatMap(denialOf)
  return {
    rules: ranked(denials, ({ workflow, rule, code }) => ({ workflow, rule, code })),
    codes: ranked(denials, ({ code }) => ({ code })),
    places: ranked(
      denials.filter((one): one is Placed => one.state !== null),
      ({ workflow, state }) => ({ workflow, state }),
      maxStates,
    ),
    tools: ranked(denials, ({ tool, code }) => ({ tool, code })),
  }
}

function ranked<One extends Denial, Key extends object>(
  denials: readonly One[],
  keyOf: (one: One) => Key,
  max = maxRanked,
) {
  const found = new Map<string, Key & { count: number; readonly run_id: string }>()
  // The newest come first, so that the run that is named is the newest.
  for (const denial of denials) {
    const key = keyOf(denial)
    const name = JSON.stringify(key)
    const known = found.get(name)
    if (known === undefined) found.set(name, { ...key, count: 1, run_id: denial.runId })
    else known.count += 1
  }
  return [...found.values()].sort((a, b) => b.count - a.count).slice(0, max)
}

function waitsBySlot(rows: readonly ApprovalRow[], slotMs: number): Map<number, number[]> {
  const waits = new Map<number, number[]>()
  for (const row of rows) {
    const wait = waitOf(row)
    if (wait === null) continue
    const at = row.openedAt - (row.openedAt % slotMs)
    waits.set(at, [...(waits.get(at) ?? []), wait])
  }
  return waits
}

/** How long a person took; what expired or was withdrawn was answered by nobody. */
function waitOf({ status, openedAt, resolvedAt }: ApprovalRow): number | null {
  const isAnswer = status === 'approved' || status === 'rejected' || status === 'failed'
  return isAnswer && resolvedAt !== null ? Math.max(0, resolvedAt - openedAt) : null
}

function latency(rows: readonly ApprovalRow[]) {
  const waits = rows.flatMap((row) => waitOf(row) ?? []).toSorted((a, b) => a - b)
  const by = (status: ApprovalRow['status']) => rows.filter((row) => row.status === status).length
  return {
    opened: rows.length,
    approved: by('approved'),
    rejected: by('rejected'),
    expired: by('expired'),
    waiting: by('waiting'),
    median_ms: middle(waits),
    slow_ms: waits[Math.floor(waits.length * 0.9)] ?? null,
  }
}

function middle(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null
}
