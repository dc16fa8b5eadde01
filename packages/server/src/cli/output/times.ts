const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]

/** How long ago something was, in the largest unit that fits. */
export function ago(at: number, now: number = Date.now()): string {
  const passed = Math.max(0, now - at)
  const [unit, size] = units.find(([, length]) => passed >= length) ?? ['s', 1000]
  return `${Math.floor(passed / size)} ${unit} ago`
}

/** The time of day, for lines that follow each other. */
export function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

export function dateTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`
}
