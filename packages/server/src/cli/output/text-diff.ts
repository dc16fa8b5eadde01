const maxCells = 4_000_000
const around = 2

/** The lines that change from one text to another, with a little of what stands around them. */
export function textDiff(before: string, after: string): string[] {
  const marked = markLines(linesOf(before), linesOf(after))
  const isNear = marked.map((_, index) =>
    marked.slice(Math.max(0, index - around), index + around + 1).some((line) => line[0] !== ' '),
  )
  const shown: string[] = []
  for (const [index, line] of marked.entries()) {
    if (isNear[index] === true) shown.push(line)
    else if (shown.length > 0 && shown[shown.length - 1] !== '  …') shown.push('  …')
  }
  if (shown[shown.length - 1] === '  …') shown.pop()
  return shown
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines[lines.length - 1] === '') lines.pop()
  return lines
}

function markLines(old: readonly string[], fresh: readonly string[]): string[] {
  let start = 0
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1
  let same = 0
  while (
    same < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - same] === fresh[fresh.length - 1 - same]
  ) {
    same += 1
  }
  return [
    ...old.slice(0, start).map((line) => `  ${line}`),
    ...markMiddle(old.slice(start, old.length - same), fresh.slice(start, fresh.length - same)),
    ...old.slice(old.length - same).map((line) => `  ${line}`),
  ]
}

/** By the longest common subsequence; where that would cost too much, all old and then all new. */
function markMiddle(old: readonly string[], fresh: readonly string[]): string[] {
  const width = fresh.length + 1
  if ((old.length + 1) * width > maxCells) {
    return [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)]
  }
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const at = row * width + column
      const below = lengths[at + width] ?? 0
      const right = lengths[at + 1] ?? 0
      const isSame = old[row] === fresh[column]
      lengths[at] = isSame ? (lengths[at + width + 1] ?? 0) + 1 : Math.max(below, right)
    }
  }
  const marked: string[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < fresh.length) {
    const at = row * width + column
    if (row < old.length && column < fresh.length && old[row] === fresh[column]) {
      marked.push(`  ${old[row]}`)
      row += 1
      column += 1
    } else if (
      column >= fresh.length ||
      (row < old.length && (lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0))
    ) {
      marked.push(`- ${old[row]}`)
      row += 1
    } else {
      marked.push(`+ ${fresh[column]}`)
      column += 1
    }
  }
  return marked
}
