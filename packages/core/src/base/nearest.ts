/** The known names closest to a misspelt one, best first; none when nothing is close. */
export function nearestNames(wanted: string, known: Iterable<string>, max = 3): string[] {
  const lower = wanted.slice(0, 100).toLowerCase()
  const reach = Math.max(1, Math.floor(lower.length / 3))
  const scored: { name: string; distance: number }[] = []
  for (const name of known) {
    if (Math.abs(name.length - lower.length) > reach) continue
    const distance = editDistance(lower, name.toLowerCase(), reach)
    if (distance <= reach) scored.push({ name, distance })
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return scored.slice(0, max).map((entry) => entry.name)
}

/** Edit distance in which swapping two neighbours counts once, since that is how people mistype. */
function editDistance(left: string, right: string, reach: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (row > 1 && column > 1 && swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1)
      current.push(best)
    }
    if (Math.min(...current) > reach) return reach + 1
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}
