import { err, ok, type Problem, type Result } from '@statewright/core/internal'

const units: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** `30d`, `12h`, `2w`, or a day such as `2026-11-01`; left out, everything. */
export function readSince(text: string | undefined, now: number): Result<number, Problem> {
  if (text === undefined) return ok(0)
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return ok(now - Number(count) * (units[unit] ?? 0))
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(at)) return ok(at)
  const message = `"${text.slice(0, 40)}" is not a time.`
  return err({
    code: 'usage',
    message,
    where: '--since',
    next: 'write it as 30d, 12h or 2w, or as a day such as 2026-11-01.',
  })
}
