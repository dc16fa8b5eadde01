import { diff } from 'node:util'

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

/** By the shortest difference; where finding it would cost too much, all old and then all new. */
function markMiddle(old: readonly string[], fresh: readonly string[]): string[] {
  const cells = old.length * fresh.length
  if (cells === 0 || cells > maxCells) {
    return [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)]
  }
  return diff(old, fresh).map(([side, line]) => `${signs[side]} ${line}`)
}

/** `diff` numbers what stands in both texts, in the first alone, and in the second alone. */
const signs = { 0: ' ', 1: '-', [-1]: '+' } as const
