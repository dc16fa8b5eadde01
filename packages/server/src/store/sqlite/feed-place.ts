/** Places in the feed are row numbers, padded so that they also sort as text. */
export function feedPlace(row: number): string {
  return String(row).padStart(16, '0')
}

/** A place that nobody gave out means the beginning. */
export function rowOf(place: string): number {
  return /^\d{1,16}$/.test(place) ? Number(place) : 0
}
