/** Places in the feed are row numbers, padded so that they also sort as text. */
export function feedPosition(row: number): string {
  return String(row).padStart(16, '0')
}

/** A place that nobody gave out means the beginning. */
export function rowOf(position: string): number {
  return /^\d{1,16}$/.test(position) ? Number(position) : 0
}
