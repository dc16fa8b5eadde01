/**
 * The rows below the first table head that begins with the given cells; each row as its cells, with
 * the code spans of a cell taken apart. Empty when there is no such table.
 */
export function tableRows(text: string, ...head: readonly string[]): string[][] {
  const lines = text.split('\n').map((line) => line.trim())
  const start = lines.findIndex((line) => head.every((cell, at) => cellsOf(line)[at] === cell))
  if (start === -1) return []
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end === -1 ? rows.length : end).map(cellsOf)
}

/** The words in code spans of a cell or paragraph. */
export function codeWords(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
}

/** The text below a heading, up to the next one. */
export function sectionOf(text: string, heading: string): string {
  const [, rest = ''] = text.split(`\n${heading}\n`)
  return rest.split(/\n#+ /)[0] ?? ''
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('|')) return []
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
