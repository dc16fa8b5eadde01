/** What stands beside what: indexes into both lists, or undefined where one has nothing like it. */
export interface Aligned {
  readonly left: number | undefined
  readonly right: number | undefined
}

/** More would take too long to find; then nothing of the middle stands beside anything. */
const maxCells = 1_000_000

/** Lays two lists side by side, so that as much as can be stands beside its equal, in order. */
export function align(left: readonly string[], right: readonly string[]): readonly Aligned[] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start++
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++
  const middle = alignMiddle(
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
  )
  return [
    ...Array.from({ length: start }, (_, at) => ({ left: at, right: at })),
    ...middle.map((one) => ({
      left: one.left === undefined ? undefined : one.left + start,
      right: one.right === undefined ? undefined : one.right + start,
    })),
    ...Array.from({ length: end }, (_, at) => ({
      left: left.length - end + at,
      right: right.length - end + at,
    })),
  ]
}

function alignMiddle(left: readonly string[], right: readonly string[]): readonly Aligned[] {
  const isTooMuch = left.length * right.length > maxCells
  const common = isTooMuch ? () => 0 : commonLengths(left, right)
  const aligned: Aligned[] = []
  let [l, r] = [0, 0]
  while (l < left.length || r < right.length) {
    const isEqual = !isTooMuch && l < left.length && r < right.length && left[l] === right[r]
    if (isEqual) aligned.push({ left: l++, right: r++ })
    else if (r >= right.length || (l < left.length && common(l + 1, r) >= common(l, r + 1))) {
      aligned.push({ left: l++, right: undefined })
    } else aligned.push({ left: undefined, right: r++ })
  }
  return aligned
}

/** How many are equal, in order, behind two positions: the longest common subsequence. */
function commonLengths(left: readonly string[], right: readonly string[]) {
  const width = right.length + 1
  const cells = new Uint32Array((left.length + 1) * width)
  const common = (l: number, r: number) => cells[l * width + r] ?? 0
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      cells[l * width + r] =
        left[l] === right[r]
          ? common(l + 1, r + 1) + 1
          : Math.max(common(l + 1, r), common(l, r + 1))
    }
  }
  return common
}
